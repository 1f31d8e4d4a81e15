import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def yields(n, g):
    wind, density, blade = torch.rand(3, n, generator=g)
    kwh = 52_000 + 30_000 * wind ** 2 * (0.8 + 0.4 * density) + 9_000 * torch.sin(3 * blade)
    return torch.stack([wind, density, blade], 1) * 2 - 1, kwh + 300 * torch.randn(n, generator=g)


class Yield(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.GELU(), nn.Linear(32, 1))
        self.mean, self.std = mean, std

    def forward(self, x):
        return self.net(x).squeeze(-1)

    def kwh(self, x):
        return self(x) * self.std + self.mean


class Fit:
    def __init__(self):
        torch.manual_seed(3)
        g = torch.Generator().manual_seed(30)
        self.x, self.y = yields(900, g)
        self.xt, self.yt = yields(300, g)
        self.model = Yield(self.y.mean(), self.y.std())
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=5e-3)

    def run(self, epochs):
        target = (self.y - self.model.mean) / self.model.std
        for epoch in range(1, epochs + 1):
            for x, y in DataLoader(TensorDataset(self.x, target), 45, shuffle=True):
                loss = nn.functional.mse_loss(self.model(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            if epoch % 8 == 0:
                print(f"epoch {epoch} loss {loss.item():.6g}")
        with torch.no_grad():
            rest = (self.model.kwh(self.xt) - self.yt).pow(2).mean() / self.yt.var()
        print(f"R2 {1 - rest.item():.4f}")


Fit().run(24)
