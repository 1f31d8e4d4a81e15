import torch
from torch import nn


def clear(params):
    for p in params:
        p.grad = None


def leaves(n):
    species = torch.randint(0, 3, (n,))
    centre = torch.tensor([[1.0, 0, 2, -1], [0, 1, -1, 1], [-1, -1, 0, 0.5]])
    return centre[species] + 0.7 * torch.randn(n, 4), species


torch.manual_seed(44)
x, y = leaves(900)
xt, yt = leaves(300)
net = nn.Sequential(nn.Linear(4, 20), nn.ReLU(), nn.Linear(20, 3))
params = list(net.parameters())
opt = torch.optim.SGD(params, lr=0.1, momentum=0.8)
for epoch in range(10):
    for idx in torch.randperm(900).split(45):
        clear(params)
        loss = nn.functional.cross_entropy(net(x[idx]), y[idx])
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
