"""Quantile regression: (N,3) predictions against (N,1) targets, and an implicit-quantile pairwise (N,K,K) Huber loss."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.rand(3000, 1) * 4
y = torch.sin(2 * x) + (0.1 + 0.2 * x) * torch.randn_like(x)        # (N,1)
taus = torch.tensor([0.1, 0.5, 0.9])


def pinball(pred, target):
    e = target - pred                                              # broadcasts over the quantiles
    return torch.maximum(taus * e, (taus - 1) * e).mean()


net = nn.Sequential(nn.Linear(1, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 3))
opt = torch.optim.Adam(net.parameters(), 5e-3)
for it in range(400):
    i = torch.randint(0, 3000, (128,))
    loss = pinball(net(x[i]), y[i])
    opt.zero_grad(); loss.backward(); opt.step()
    if it % 80 == 0: print("pinball", it, round(loss.item(), 4))
with torch.no_grad():
    print("coverage", [(y < net(x)[:, j:j + 1]).float().mean().item() for j in range(3)])

K = 8
net2 = nn.Sequential(nn.Linear(1, 64), nn.Tanh(), nn.Linear(64, K))
mid = (torch.arange(K) + 0.5) / K
opt = torch.optim.Adam(net2.parameters(), 1e-2)
for it in range(300):
    i = torch.randint(0, 3000, (128,))
    q = net2(x[i])                                                 # (B,K)
    t = torch.cat([y[i] + 0.01 * torch.randn(128, 1) for _ in range(K)], 1)   # (B,K)
    td = t.unsqueeze(1) - q.unsqueeze(2)                           # (B,K,K) pairwise on purpose
    hub = F.smooth_l1_loss(q.unsqueeze(2).expand_as(td), t.unsqueeze(1).expand_as(td), reduction="none", beta=0.1)
    loss = ((mid[None, :, None] - (td < 0).float()).abs() * hub).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    if it % 60 == 0: print("iqn", it, round(loss.item(), 4))
