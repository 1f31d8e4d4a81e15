"""PCGrad: one backward per task, the gradient is copied away and CLEARED, then the projected sum is written back and step is called."""
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(3000, 6)
t1, t2 = (x[:, :1] * x[:, 1:2]), (x[:, 1:2].abs() - x[:, 2:3])
trunk = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
h1, h2 = nn.Linear(32, 1), nn.Linear(32, 1)
params = [*trunk.parameters(), *h1.parameters(), *h2.parameters()]
opt = torch.optim.Adam(params, lr=3e-3)


def take():
    g = torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in params]).clone()
    opt.zero_grad()
    return g


for it in range(350):
    i = torch.randint(0, 2500, (64,))
    h = trunk(x[i])
    l1, l2 = nn.functional.mse_loss(h1(h), t1[i]), nn.functional.mse_loss(h2(h), t2[i])
    opt.zero_grad()
    l1.backward(retain_graph=True); g1 = take()
    l2.backward(); g2 = take()
    dot = g1 @ g2
    a, b = (g1 - dot / g2.norm() ** 2 * g2, g2 - dot / g1.norm() ** 2 * g1) if dot < 0 else (g1, g2)
    k = 0
    for p in params:
        p.grad = (a + b)[k:k + p.numel()].view_as(p).clone(); k += p.numel()
    opt.step()
    if it % 50 == 0: print(it, f"{l1.item():.4f} {l2.item():.4f}")
with torch.no_grad():
    h = trunk(x[2500:]); print("val", nn.functional.mse_loss(h1(h), t1[2500:]).item(), nn.functional.mse_loss(h2(h), t2[2500:]).item())
