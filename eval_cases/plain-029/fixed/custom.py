"""Two home-made optimizers: Lion as a torch Optimizer and a plain class that is none."""
import torch
from torch import nn
from sklearn.datasets import make_circles


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99), wd=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, wd=wd))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["m"] = torch.zeros_like(p)
                u = (st["m"] * b1 + p.grad * (1 - b1)).sign_()
                p.mul_(1 - g["lr"] * g["wd"]).add_(u, alpha=-g["lr"])
                st["m"].mul_(b2).add_(p.grad, alpha=1 - b2)
        return loss


class HeavyBall:
    def __init__(self, params, eta, mu=0.9):
        self.ps = list(params)
        self.v = [torch.zeros_like(p) for p in self.ps]
        self.eta, self.mu = eta, mu

    def update(self):
        for p, v in zip(self.ps, self.v):
            v.mul_(self.mu).sub_(p.grad, alpha=self.eta)
            p.data.add_(v)

    def clear(self):
        for p in self.ps:
            if p.grad is not None:
                p.grad.zero_()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.ParameterList([nn.Parameter(torch.randn(2, 24)), nn.Parameter(torch.randn(24, 24) * 0.3)])
        self.heads = nn.ModuleDict({"cls": nn.LazyLinear(1), "unused_for_now": nn.Linear(3, 3)})
        self.act = nn.ReLU()

    def forward(self, x):
        for w in self.w:
            x = self.act(x @ w)
        return self.heads["cls"](x)


X, y = make_circles(600, noise=0.08, factor=0.4, random_state=1)
X, y = torch.tensor(X).float(), torch.tensor(y).float()[:, None]
bce = nn.BCEWithLogitsLoss()


def acc(n):
    with torch.no_grad():
        return ((n(X[450:]) > 0).float() == y[450:]).float().mean().item()


torch.manual_seed(0)
net = Net(); net(X[:1])                      # materialise the lazy layer before the optimizer sees it
opt = Lion(net.parameters(), lr=3e-3, wd=0.01)
for i in range(200):
    opt.zero_grad()
    l = bce(net(X[:450]), y[:450])
    l.backward()
    opt.step()
    if i % 40 == 0: print("lion", i, l.item())
print("lion", l.item(), acc(net))

net2 = Net(); net2(X[:1])
hb = HeavyBall([p for n, p in net2.named_parameters() if "unused" not in n], 0.05)
for i in range(200):
    l = bce(net2(X[:450]), y[:450])
    l.backward()
    hb.update()
    hb.clear()
    if i % 40 == 0: print("heavy ball", i, l.item())
print("heavy ball", l.item(), acc(net2))
