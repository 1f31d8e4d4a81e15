"""Domain-adversarial training with gradient reversal: the domain loss should stay near log 2 -- that is the aim."""
import math
import torch
from torch import nn
import torch.nn.functional as F


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -ctx.lam * g, None


def domain(n, shift):
    y = torch.randint(0, 3, (n,))
    c = torch.tensor([[2.0, 0, 0], [0, 2, 0], [0, 0, 2]])
    x = c[y] + 0.5 * torch.randn(n, 3)
    return torch.cat([x, torch.full((n, 1), shift) + 0.3 * torch.randn(n, 1)], 1), y


torch.manual_seed(0)
xs, ys = domain(2000, -1.0)
xt, yt = domain(2000, 1.0)
feat = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, 16), nn.ReLU())
cls, dom = nn.Linear(16, 3), nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam([*feat.parameters(), *cls.parameters(), *dom.parameters()], lr=3e-3)
N = 400
for it in range(N):
    lam = 2 / (1 + math.exp(-10 * it / N)) - 1
    i, j = torch.randint(0, 2000, (64,)), torch.randint(0, 2000, (64,))
    fs, ft = feat(xs[i]), feat(xt[j])
    c = F.cross_entropy(cls(fs), ys[i])
    d_in = Reverse.apply(torch.cat([fs, ft]), lam)
    d = F.binary_cross_entropy_with_logits(dom(d_in).squeeze(1), torch.cat([torch.zeros(64), torch.ones(64)]))
    loss = c + d
    opt.zero_grad(); loss.backward(); opt.step()
    if it % 50 == 0:
        with torch.no_grad():
            print(it, f"cls {c.item():.4f} dom {d.item():.4f} target acc {(cls(feat(xt)).argmax(1) == yt).float().mean():.3f}")
