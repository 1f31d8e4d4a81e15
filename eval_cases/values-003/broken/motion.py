import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Clips(Dataset):
    """Two 8-bit frames of a soft blob that moves left or right; the input is their difference."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        col = torch.arange(16.0)
        self.frames, self.way = [], torch.randint(0, 2, (n,), generator=g)
        start = torch.rand(n, generator=g) * 8 + 4
        for s, w in zip(start, self.way):
            pair = [90 + 60 * torch.exp(-((col - s - k * (2.0 * w - 1) * 0.5) ** 2) / 4) for k in range(2)]
            noise = 3 * torch.randn(2, 16, generator=g)
            self.frames.append((torch.stack(pair) + noise).clamp(0, 255).to(torch.uint8))

    def __len__(self):
        return len(self.way)

    def __getitem__(self, k):
        frames = self.frames[k]
        change = (frames[1] - frames[0]).float()
        return change / 32, self.way[k]


def accuracy(net, data):
    with torch.no_grad():
        hits = sum((net(x).argmax(1) == y).sum().item() for x, y in DataLoader(data, 200))
    return hits / len(data)


torch.manual_seed(6)
train, test = Clips(800, 1), Clips(300, 2)
net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(10):
    for x, y in DataLoader(train, 40, shuffle=True):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    if epoch % 2:
        print(f"epoch {epoch + 1} loss {loss.item():.4f}")
print(f"test accuracy {accuracy(net, test):.3f}")
