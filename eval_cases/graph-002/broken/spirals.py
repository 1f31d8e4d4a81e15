import math
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import OneCycleLR

torch.manual_seed(17)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a = nn.Linear(d, 3 * d)
        self.b = nn.Linear(3 * d, d)

    def forward(self, h):
        return h + self.b(torch.tanh(self.a(h)))


class ResidualNet(nn.Module):
    def __init__(self, d=6, depth=4, classes=3):
        super().__init__()
        self.stem = nn.Linear(2, d)
        self.blocks = [Block(d) for _ in range(depth)]
        self.head = nn.Linear(d, classes)

    def forward(self, x):
        h = self.stem(x)
        for block in self.blocks:
            h = block(h)
        return self.head(h)


def spirals(per_class):
    pts, lab = [], []
    for c in range(3):
        r = torch.linspace(0.15, 1.0, per_class)
        angle = 7.0 * r + c * 2 * math.pi / 3 + 0.12 * torch.randn(per_class)
        pts.append(torch.stack([r * angle.sin(), r * angle.cos()], 1))
        lab.append(torch.full((per_class,), c))
    return torch.cat(pts) * 2, torch.cat(lab)


x, y = spirals(200)
xt, yt = spirals(100)
net = ResidualNet()
steps = 400
opt = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=1e-4)
sched = OneCycleLR(opt, max_lr=1e-2, total_steps=steps)

for step in range(1, steps + 1):
    pick = torch.randint(len(x), (128,))
    opt.zero_grad(set_to_none=True)
    loss = F.cross_entropy(net(x[pick]), y[pick])
    loss.backward()
    opt.step()
    sched.step()
    if step % 100 == 0:
        print(f"{step:4d} loss={loss.item():.3f}")

with torch.no_grad():
    print(f"accuracy on fresh points: {(net(xt).argmax(-1) == yt).float().mean():.3f}")
