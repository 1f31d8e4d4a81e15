"""u'' + u = 0, u(0)=0, u'(0)=1  ->  sin(t).  Physics-informed net, double precision, Adam then LBFGS."""
import math
import torch
torch.set_default_dtype(torch.double)
torch.manual_seed(0)


class U(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(1, 24), torch.nn.Tanh(), torch.nn.Linear(24, 24), torch.nn.Tanh(), torch.nn.Linear(24, 1))

    def forward(self, t):
        return self.net(t)


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


u = U()
t = torch.linspace(0, 4, 60).unsqueeze(1).requires_grad_(True)
t0 = torch.zeros(1, 1, requires_grad=True)


def residual():
    y = u(t)
    ode = (d(d(y, t), t) + y).square().mean()
    y0 = u(t0)
    ic = y0.square().sum() + (d(y0, t0) - 1).square().sum()
    return ode + 5 * ic


opt = torch.optim.Adam(u.parameters(), lr=5e-3)
for it in range(300):
    opt.zero_grad()
    loss = residual()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print("adam", it, loss.item())
opt = torch.optim.LBFGS(u.parameters(), max_iter=20, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    l = residual()
    l.backward()
    return l


for it in range(10):
    print("lbfgs", it, opt.step(closure).item())
with torch.no_grad():
    print("max error", (u(t) - t.sin()).abs().max().item())
