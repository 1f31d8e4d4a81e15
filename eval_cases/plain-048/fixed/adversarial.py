"""Adversarial training: the inner attack calls backward() too (and leaves gradients behind), zero_grad comes after it."""
import torch
from torch import nn
from sklearn.datasets import load_digits
torch.manual_seed(0)
d = load_digits()
X, y = torch.tensor(d.data / 16).float(), torch.tensor(d.target)
net = nn.Sequential(nn.Linear(64, 100), nn.ReLU(), nn.Dropout(0.1), nn.Linear(100, 10))
ce = nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


def attack(x, y, eps=0.1, steps=3):
    net.eval()
    delta = torch.zeros_like(x, requires_grad=True)
    for _ in range(steps):
        ce(net(x + delta), y).backward()
        with torch.no_grad():
            delta += eps / 2 * delta.grad.sign()
            delta.clamp_(-eps, eps)
        delta.grad.zero_()
    net.train()
    return (x + delta).detach().clamp(0, 1)


for ep in range(10):
    for i in torch.randperm(1400).split(64):
        xa = attack(X[i], y[i])
        opt.zero_grad()
        loss = ce(net(xa), y[i])
        loss.backward()
        opt.step()
    xt = attack(X[1400:], y[1400:], steps=5)
    net.eval()
    with torch.no_grad():
        clean = (net(X[1400:]).argmax(1) == y[1400:]).float().mean()
        rob = (net(xt).argmax(1) == y[1400:]).float().mean()
    net.train()
    print(f"{ep} loss {loss.item():.4f} clean {clean:.3f} robust {rob:.3f}")
