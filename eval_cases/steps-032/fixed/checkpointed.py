import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.f = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        return x + self.f(self.norm(x))


class Net(nn.Module):
    def __init__(self, d=24, depth=4):
        super().__init__()
        self.inp = nn.Linear(8, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.out = nn.Linear(d, 4)

    def forward(self, x):
        x = self.inp(x)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.training else block(x)
        return self.out(x)


def quadrants(n):
    x = torch.randn(n, 8)
    return x, (x[:, 0] > 0).long() + 2 * (x[:, 1] > x[:, 2]).long()


torch.manual_seed(33)
x, y = quadrants(1600)
xt, yt = quadrants(400)
net = Net()
opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
for epoch in range(1, 6):
    net.train()
    for rows in torch.randperm(len(x)).split(64):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        acc = (net(xt).argmax(1) == yt).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.3f} test accuracy {acc:.3f}")
