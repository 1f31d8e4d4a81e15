import torch
from torch import nn
from torch.nn import functional as F


class Pairs:
    """Two noisy views of the same object, through different mixing."""

    def __init__(self):
        g = torch.Generator().manual_seed(90)
        self.a, self.b = torch.randn(6, 20, generator=g), torch.randn(6, 16, generator=g)

    def draw(self, n):
        z = torch.randn(n, 6)
        return z @ self.a + 0.3 * torch.randn(n, 20), z @ self.b + 0.3 * torch.randn(n, 16)


class TwoTowers(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.left = nn.Sequential(nn.Linear(20, 48), nn.ReLU(), nn.Linear(48, d))
        self.right = nn.Sequential(nn.Linear(16, 48), nn.ReLU(), nn.Linear(48, d))

    def forward(self, x, y):
        return F.normalize(self.left(x), dim=1) @ F.normalize(self.right(y), dim=1).T


def info_nce(similarity, temperature=0.1):
    own = torch.arange(len(similarity))
    return (F.cross_entropy(similarity / temperature, own) + F.cross_entropy(similarity.T / temperature, own)) / 2


torch.manual_seed(91)
pairs, net = Pairs(), TwoTowers()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for step in range(1, 301):
    loss = info_nce(net(*pairs.draw(64)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 60 == 0:
        print(f"step {step} loss {loss.item():.4f}")
with torch.no_grad():
    rank = net(*pairs.draw(200)).argmax(1) == torch.arange(200)
print(f"partner found among 200: {rank.float().mean().item():.3f}")
