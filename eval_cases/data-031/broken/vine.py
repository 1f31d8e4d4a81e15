import torch
from sklearn.datasets import load_wine
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.count = 0.0, 0

    def add(self, loss, n):
        self.total += loss * n
        self.count += n


torch.manual_seed(8)
wine = load_wine()
x = torch.tensor(wine.data).float()
x = (x - x[::2].mean(0)) / x[::2].std(0)
train, test = random_split(TensorDataset(x, torch.tensor(wine.target)), [120, 58])
net = nn.Sequential(nn.Linear(13, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
meter = Meter()
for epoch in range(1, 21):
    for bx, by in DataLoader(train, 12, shuffle=True):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(bx), by)
        loss.backward()
        opt.step()
        meter.add(loss.item(), len(by))
    if epoch % 4 == 0:
        bx, by = next(iter(DataLoader(test, 58)))
        with torch.no_grad():
            right = (net(bx).argmax(1) == by).float().mean().item()
        print(f"epoch {epoch} accuracy {right:.3f} loss {meter.total / len(train):.3f}")
