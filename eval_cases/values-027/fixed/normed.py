import torch
from torch import nn


class Stage(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.up, self.norm, self.down = nn.Linear(d, 2 * d), nn.LayerNorm(2 * d), nn.Linear(2 * d, d)

    def forward(self, x):
        return x + self.down(self.norm(self.up(x)))


def targets(n):
    x = torch.randn(n, 2)
    return x, (x.norm(dim=1) > 1.18).long()


torch.manual_seed(29)
x, y = targets(1200)
xt, yt = targets(400)
net = nn.Sequential(nn.Linear(2, 24), Stage(24), Stage(24), nn.Linear(24, 2))
opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
for epoch in range(1, 13):
    for rows in torch.randperm(len(x)).split(60):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    if epoch % 4 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
