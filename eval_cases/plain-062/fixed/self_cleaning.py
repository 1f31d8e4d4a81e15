"""A user's AdamW subclass whose step() clears the gradients at its end, and a Lookahead wrapper around SGD."""
import torch
from torch import nn
from sklearn.datasets import load_digits


class SelfCleaning(torch.optim.AdamW):
    def step(self, closure=None):
        r = super().step(closure)
        self.zero_grad()
        return r


class Lookahead:
    def __init__(self, inner, k=5, a=0.5):
        self.inner, self.k, self.a, self.n = inner, k, a, 0
        self.slow = [p.detach().clone() for g in inner.param_groups for p in g["params"]]

    def zero_grad(self):
        self.inner.zero_grad()

    def step(self):
        self.inner.step()
        self.n += 1
        if self.n % self.k == 0:
            with torch.no_grad():
                for s, p in zip(self.slow, (p for g in self.inner.param_groups for p in g["params"])):
                    s.lerp_(p, self.a)
                    p.copy_(s)


d = load_digits(); X = torch.tensor(d.data / 16).float(); y = torch.tensor(d.target)
for kind in ("selfcleaning", "lookahead"):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
    opt = SelfCleaning(net.parameters(), lr=3e-3) if kind == "selfcleaning" else Lookahead(torch.optim.SGD(net.parameters(), lr=0.3))
    for ep in range(6):
        for i in torch.randperm(1400).split(64):
            if kind == "lookahead":
                opt.zero_grad()
            loss = nn.functional.cross_entropy(net(X[i]), y[i])
            loss.backward()
            opt.step()
    with torch.no_grad():
        print(kind, loss.item(), (net(X[1400:]).argmax(1) == y[1400:]).float().mean().item())
