import torch
from torch import nn


class Pool(nn.Module):
    """Attention of a few slots over the readings; scores are [batch, reading, slot]."""

    def __init__(self, d, slots):
        super().__init__()
        self.key, self.value = nn.Linear(d, d), nn.Linear(d, d)
        self.slot = nn.Parameter(0.3 * torch.randn(slots, d))

    def forward(self, x):
        score = self.key(x) @ self.slot.T / x.shape[-1] ** 0.5
        weight = torch.softmax(score, dim=1)
        return torch.einsum("brs,brd->bsd", weight, self.value(x)).flatten(1)


class Detector(nn.Module):
    def __init__(self, d=16, slots=2):
        super().__init__()
        self.inp = nn.Sequential(nn.Linear(4, d), nn.ReLU())
        self.pool = Pool(d, slots)
        self.out = nn.Linear(slots * d, 3)

    def forward(self, x):
        return self.out(self.pool(self.inp(x)))


def bags(n):
    x = torch.randn(n, 15, 4)
    kind = torch.randint(0, 3, (n,))
    spot = torch.randint(0, 15, (n,))
    x[torch.arange(n), spot, kind] += 5
    return x, kind


torch.manual_seed(39)
x, y = bags(1000)
xt, yt = bags(300)
net = Detector()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(1, 13):
    for rows in torch.randperm(1000).split(50):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
