"""Exact Gaussian process: hyper-parameters by gradient descent on the negative log marginal likelihood."""
import math
import numpy as np
import torch

torch.manual_seed(0)
rng = np.random.default_rng(0)
x = torch.tensor(np.sort(rng.uniform(0, 10, 80)))[:, None]
y = torch.sin(x[:, 0]) + 0.05 * torch.randn(80, dtype=torch.float64)
theta = {k: torch.tensor(v, dtype=torch.float64, requires_grad=True) for k, v in (("ls", 1.5), ("amp", 0.0), ("noise", 0.0))}


def kernel(a, b):
    d2 = (a - b.T).pow(2)                       # (N,1) - (1,N) -> (N,N) as a kernel must
    return theta["amp"].exp() * torch.exp(-0.5 * d2 / theta["ls"].exp() ** 2)


def nlml():
    K = kernel(x, x) + (theta["noise"].exp() + 1e-6) * torch.eye(80, dtype=torch.float64)
    L = torch.linalg.cholesky(K)
    a = torch.cholesky_solve(y[:, None], L)
    return 0.5 * (y[:, None] * a).sum() + L.diagonal().log().sum() + 40 * math.log(2 * math.pi)


opt = torch.optim.Adam(theta.values(), lr=0.05)
for i in range(250):
    opt.zero_grad(set_to_none=True)
    loss = nlml()
    loss.backward()
    opt.step()
    if i % 25 == 0:
        print(i, f"{loss.item():.3f}", {k: round(v.exp().item(), 4) for k, v in theta.items()})
with torch.no_grad():
    xs = torch.linspace(0.5, 9.5, 30, dtype=torch.float64)[:, None]
    K = kernel(x, x) + theta["noise"].exp() * torch.eye(80, dtype=torch.float64)
    mu = kernel(xs, x) @ torch.linalg.solve(K, y)
    print("rmse", (mu - xs[:, 0].sin()).pow(2).mean().sqrt().item(), "noise sd", theta["noise"].exp().sqrt().item())
