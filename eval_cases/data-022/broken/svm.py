import numpy as np
import torch


class LinearMachine:
    """Maximum margin by sub-gradient steps on random Fourier features."""

    def __init__(self, width, features=120, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.freq = torch.randn(width, features, generator=g)
        self.phase = 6.28 * torch.rand(features, generator=g)
        self.w = torch.zeros(features, requires_grad=True)
        self.b = torch.zeros((), requires_grad=True)

    def score(self, x):
        return torch.cos(x @ self.freq + self.phase) @ self.w + self.b

    def fit(self, x, y, epochs=30, rate=0.05):
        opt = torch.optim.SGD([self.w, self.b], lr=rate, momentum=0.8)
        for epoch in range(1, epochs + 1):
            for rows in torch.randperm(len(x)).split(40):
                margin = (1 - y[rows] * self.score(x[rows])).clamp(min=0)
                loss = margin.mean() + 1e-3 * self.w.square().sum()
                opt.zero_grad()
                loss.backward()
                opt.step()
            if epoch % 6 == 0:
                print(f"epoch {epoch} hinge {margin.mean().item():.3f}")


def rings(n, seed):
    rng = np.random.default_rng(seed)
    outer = rng.integers(0, 2, n)
    angle = rng.uniform(0, 6.28, n)
    radius = 1 + outer + rng.normal(0, 0.25, n)
    return torch.tensor(np.c_[radius * np.cos(angle), radius * np.sin(angle)]).float(), torch.tensor(outer).float()


torch.manual_seed(0)
x, outer = rings(800, 1)
xt, outer_t = rings(300, 2)
machine = LinearMachine(2)
machine.fit(x, outer)
with torch.no_grad():
    positive = machine.score(xt) > 0
print(f"positive {positive.float().mean().item():.2f}, accuracy {(positive == (outer_t > 0.5)).float().mean().item():.3f}")
