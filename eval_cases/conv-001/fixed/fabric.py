import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


def photograph(kind, rng, size=20):
    """A colour photo of cloth (height, width, 3), values 0..255."""
    yy, xx = np.mgrid[:size, :size]
    phase = rng.uniform(0, 6)
    weave = {
        0: np.sin(xx + phase),
        1: np.sin(yy + phase),
        2: np.sin(xx + phase) * np.sin(yy + phase),
    }[kind]
    colour = rng.uniform(60, 160, 3)
    photo = colour + 40 * weave[..., None] + rng.normal(0, 25, (size, size, 3))
    return photo.clip(0, 255).astype(np.uint8)


class Cloth(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.kinds = rng.integers(0, 3, n)
        self.photos = np.stack([photograph(k, rng) for k in self.kinds])

    def __len__(self):
        return len(self.kinds)

    def __getitem__(self, i):
        pixels = torch.from_numpy(self.photos[i]).permute(2, 0, 1).float() / 255
        return pixels - 0.5, int(self.kinds[i])


class WeaveNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(3, 12, 5, stride=2)
        self.c2 = nn.Conv2d(12, 24, 3)
        self.out = nn.Linear(24, 3)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        return self.out(F.adaptive_avg_pool2d(x, 1).flatten(1))


def train(net, loader, epochs):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.004)
    for epoch in range(epochs):
        for x, y in loader:
            loss = F.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


@torch.no_grad()
def accuracy(net, loader):
    return sum((net(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    net = WeaveNet()
    train(net, DataLoader(Cloth(480, 1), batch_size=24, shuffle=True), epochs=5)
    print("accuracy", round(accuracy(net, DataLoader(Cloth(150, 2), batch_size=50)), 3))
