"""A gradient norm is measured for a stopping test (backward), then LBFGS's closure clears it and computes again. Right."""
import torch
from torch import nn
from sklearn.datasets import load_diabetes
torch.manual_seed(0)
X, y = load_diabetes(return_X_y=True)
X = torch.tensor(X * 20).float(); y = torch.tensor((y - y.mean()) / y.std()).float()[:, None]
net = nn.Sequential(nn.Linear(10, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=4, history_size=8)


def objective():
    return nn.functional.mse_loss(net(X[:350]), y[:350]) + 1e-2 * sum(p.pow(2).sum() for p in net.parameters())


def closure():
    opt.zero_grad()
    l = objective()
    l.backward()
    return l


for it in range(25):
    opt.zero_grad()
    f = objective()
    f.backward()
    gn = torch.stack([p.grad.norm() for p in net.parameters()]).norm().item()
    if gn < 1e-4:
        break
    opt.step(closure)
    print(it, f"{f.item():.5f} |g| {gn:.2e}")
with torch.no_grad():
    print("val mse", nn.functional.mse_loss(net(X[350:]), y[350:]).item())
