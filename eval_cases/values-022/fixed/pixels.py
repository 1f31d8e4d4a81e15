import torch
from torch import nn


def icons(n):
    kind = torch.randint(0, 3, (n,))
    img = torch.randint(0, 120, (n, 1, 12, 12)).float()
    for k, c in enumerate(kind):
        if c == 0:
            img[k, 0, 5:7] += 100
        elif c == 1:
            img[k, 0, :, 5:7] += 100
        else:
            img[k, 0, range(12), range(12)] += 120
    return img, kind


torch.manual_seed(11)
x, y = icons(700)
xt, yt = icons(250)
net = nn.Sequential(
    nn.BatchNorm2d(1), nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(200, 3)
)
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(1, 9):
    net.train()
    for rows in torch.randperm(len(x)).split(35):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        acc = (net(xt).argmax(1) == yt).float().mean().item()
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f} test accuracy {acc:.3f}")
