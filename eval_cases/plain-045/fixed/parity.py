"""Sparse parity: the loss sits at log 2 for long, then drops. The problem is like this."""
import torch
from torch import nn
torch.manual_seed(1)
N_BITS, K = 20, 3


def sample(n):
    x = torch.randint(0, 2, (n, N_BITS)).float() * 2 - 1
    return x, (x[:, :K].prod(1) > 0).float()


net = nn.Sequential(nn.Linear(N_BITS, 128), nn.ReLU(), nn.Linear(128, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.15, weight_decay=1e-3)
for it in range(2500):
    x, y = sample(64)
    loss = nn.functional.binary_cross_entropy_with_logits(net(x)[:, 0], y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 250 == 0:
        print(it, f"{loss.item():.4f}")
x, y = sample(4000)
with torch.no_grad():
    print("acc", ((net(x)[:, 0] > 0) == (y > 0)).float().mean().item())
