"""bfloat16 model with float32 master copies in the optimizer (Apex O2 style): the optimizer's parameters are NOT the model's."""
import torch
from torch import nn
from sklearn.datasets import load_digits
torch.manual_seed(0)
d = load_digits(); X = torch.tensor(d.data / 16).bfloat16(); y = torch.tensor(d.target)
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10)).bfloat16()
masters = [p.detach().clone().float().requires_grad_(True) for p in net.parameters()]
opt = torch.optim.Adam(masters, lr=2e-3)
SCALE = 128.0
for ep in range(8):
    for i in torch.randperm(1400).split(64):
        loss = nn.functional.cross_entropy(net(X[i]).float(), y[i])
        (loss * SCALE).backward()
        for m, p in zip(masters, net.parameters()):
            m.grad = p.grad.float() / SCALE
            p.grad = None
        opt.step()
        with torch.no_grad():
            for m, p in zip(masters, net.parameters()):
                p.copy_(m)
    with torch.no_grad():
        print(ep, round(loss.item(), 4), (net(X[1400:]).argmax(1) == y[1400:]).float().mean().item())
