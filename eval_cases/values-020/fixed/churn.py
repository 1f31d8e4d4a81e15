import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def customers(n=1400):
    g = torch.Generator().manual_seed(71)
    x = torch.randn(n, 9, generator=g)
    leaves = x[:, 0] - 0.8 * x[:, 3] + x[:, 4] * x[:, 5] + 0.3 * torch.randn(n, generator=g) > 0
    return TensorDataset(x, leaves.float().unsqueeze(1))


class Churn:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(9, 32), nn.ReLU(), nn.Linear(32, 1))
        self.criterion = nn.BCEWithLogitsLoss()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)

    def fit(self, loader, epochs=12):
        for epoch in range(1, epochs + 1):
            total = 0.0
            for x, y in loader:
                loss = self.criterion(self.net(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                total += loss.item() / len(loader)
            if epoch % 4 == 0:
                print(f"epoch {epoch} loss {total:.4f}")
        return self

    @torch.no_grad()
    def accuracy(self, data):
        x, y = data[:]
        return ((self.net(x) > 0) == (y > 0.5)).float().mean().item()


torch.manual_seed(70)
train, test = random_split(customers(), [1100, 300], torch.Generator().manual_seed(1))
model = Churn().fit(DataLoader(train, 50, shuffle=True))
print(f"test accuracy {model.accuracy(test):.3f}")
