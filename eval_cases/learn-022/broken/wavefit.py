import math

import torch


class Fourier(torch.nn.Module):
    def __init__(self, terms):
        super().__init__()
        self.k = torch.arange(1, terms + 1)
        self.a = torch.nn.Parameter(torch.zeros(terms))
        self.b = torch.nn.Parameter(torch.zeros(terms))

    def forward(self, t):
        angle = t[:, None] * self.k
        return angle.cos() @ self.a + angle.sin() @ self.b

    def size(self):
        return self.a.square().sum() + self.b.square().sum()


def measured(n, g):
    t = 2 * math.pi * torch.rand(n, generator=g)
    return t, 3 * torch.sin(t) + 2 * torch.cos(3 * t) - torch.sin(5 * t) + 0.2 * torch.randn(n, generator=g)


g = torch.Generator().manual_seed(3)
t, v = measured(400, g)
tt, vt = measured(200, g)
model = Fourier(8)
penalty = 3.0
opt = torch.optim.Adam(model.parameters(), lr=0.05)
for step in range(1, 301):
    fit = (model(t) - v).square().mean()
    loss = fit + penalty * model.size()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 60 == 0:
        print(f"step {step} loss {loss.item():.4f} fit {fit.item():.4f}")
with torch.no_grad():
    print(f"largest answer {model(tt).max().item():.2f} of {vt.max().item():.2f}, test mse {(model(tt) - vt).square().mean().item():.4f}")
