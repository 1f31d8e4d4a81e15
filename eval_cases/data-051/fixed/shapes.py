import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def pictures(n, seed):
    """Horizontal or vertical bars at a random place, with noise."""
    g = torch.Generator().manual_seed(seed)
    upright = torch.randint(0, 2, (n,), generator=g)
    image = 0.2 * torch.randn(n, 1, 8, 8, generator=g)
    place = torch.randint(1, 7, (n,), generator=g)
    for k in range(n):
        if upright[k]:
            image[k, 0, :, place[k]] += 1
        else:
            image[k, 0, place[k], :] += 1
    return image, upright


torch.manual_seed(0)
train, (xt, yt) = TensorDataset(*pictures(500, 1)), pictures(250, 2)
net = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, 9):
    for x, y in DataLoader(train, 25, shuffle=True):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
