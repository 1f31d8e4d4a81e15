"""RealNVP on 2-D data; the negative log-likelihood goes below zero because the data is concentrated."""
import math
import torch
from torch import nn
from sklearn.datasets import make_moons


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 2))
        self.net[-1].weight.data.zero_()
        self.net[-1].bias.data.zero_()

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip: a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        s = 2 * torch.tanh(s)
        b = b * s.exp() + t
        return torch.cat([b, a] if self.flip else [a, b], 1), s.squeeze(1)


class Flow(nn.Module):
    def __init__(self, n=6):
        super().__init__()
        self.layers = nn.ModuleList([Coupling(i % 2 == 1) for i in range(n)])
        self.log_scale = nn.Parameter(torch.zeros(2))

    def log_prob(self, x):
        ld = torch.zeros(len(x))
        for l in self.layers:
            x, d = l(x)
            ld = ld + d
        x = x * self.log_scale.exp()
        ld = ld + self.log_scale.sum()
        return -0.5 * (x ** 2).sum(1) - math.log(2 * math.pi) + ld


torch.manual_seed(0)
X, _ = make_moons(4000, noise=0.05, random_state=0)
X = torch.tensor(X - X.mean(0)).float() * 0.25
flow = Flow()
opt = torch.optim.Adam(flow.parameters(), lr=4e-3)
for it in range(500):
    loss = -flow.log_prob(X[torch.randint(0, 3000, (200,))]).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    if it % 50 == 0:
        with torch.no_grad():
            te = -flow.log_prob(X[3000:]).mean()
        print(f"{it:4d} nll {loss.item():+.3f} test {te.item():+.3f}")
