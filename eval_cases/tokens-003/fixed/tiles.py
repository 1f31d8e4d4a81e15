import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Tiles(Dataset):
    """Height x width x channel, as the scanner delivers them."""

    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.kind = rng.integers(0, 4, n)
        self.images = 0.6 * rng.normal(size=(n, 12, 12, 3)).astype("float32")
        stripes = np.sin(np.arange(12) * 2.0)
        for img, k in zip(self.images, self.kind):
            channel, across = k % 2, k // 2
            img[:, :, channel] += stripes[None, :] if across else stripes[:, None]

    def __len__(self):
        return len(self.kind)

    def __getitem__(self, k):
        image = torch.from_numpy(self.images[k])
        return image.permute(2, 0, 1), int(self.kind[k])


class TileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, 12, 3), nn.ReLU(), nn.AdaptiveMaxPool2d(1), nn.Flatten())
        self.head = nn.Linear(12, 4)

    def forward(self, x):
        return self.head(self.conv(x))


torch.manual_seed(15)
train, test = Tiles(900, 1), Tiles(300, 2)
net = TileNet()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, 9):
    for x, y in DataLoader(train, 45, shuffle=True):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    right = sum((net(x).argmax(1) == y).sum().item() for x, y in DataLoader(test, 100))
print(f"test accuracy {right / len(test):.3f}")
