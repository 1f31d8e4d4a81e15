import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Traces(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        t = torch.linspace(0, 1, 40)
        f = 1 + 3 * torch.rand(n, 1, generator=g)
        p = 6.28 * torch.rand(n, 1, generator=g)
        self.clean = torch.sin(6.28 * f * t + p)
        self.noisy = self.clean + 0.5 * torch.randn(n, 40, generator=g)

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, k):
        return self.noisy[k], self.clean[k]


class Denoiser(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(40, 48), nn.ReLU(), nn.Linear(48, 12), nn.ReLU(), nn.Linear(12, 48), nn.ReLU(), nn.Linear(48, 40))


torch.manual_seed(21)
train, test = Traces(1200, 1), Traces(300, 2)
net = Denoiser()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(1, 16):
    for noisy, clean in DataLoader(train, 40, shuffle=True):
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(noisy), clean)
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(test.noisy), test.clean).item():.4f} (the noise itself 0.25)")
