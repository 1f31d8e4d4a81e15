"""Sharpness-aware minimisation: two passes, weights moved up and back, base optimizer inside."""
import torch
from torch import nn
from sklearn.datasets import load_breast_cancer


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def ascend(self):
        ps = [p for g in self.param_groups for p in g["params"] if p.grad is not None]
        n = torch.stack([p.grad.norm() for p in ps]).norm()
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None: continue
                e = p.grad * (g["rho"] / (n + 1e-12))
                p.add_(e)
                self.state[p]["e"] = e

    @torch.no_grad()
    def step(self, closure):
        closure = torch.enable_grad()(closure)
        self.ascend()
        self.zero_grad()
        loss = closure()
        for g in self.param_groups:
            for p in g["params"]:
                if "e" in self.state[p]: p.sub_(self.state[p]["e"])
        self.base.step()
        self.zero_grad()
        return loss


torch.manual_seed(0)
X, y = load_breast_cancer(return_X_y=True)
X = torch.tensor((X - X.mean(0)) / X.std(0)).float(); y = torch.tensor(y).float()
p = torch.randperm(569); X, y = X[p], y[p]
net = nn.Sequential(nn.Linear(30, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
opt = SAM(net.parameters(), torch.optim.SGD, rho=0.05, lr=0.05, momentum=0.9)
lossf = nn.BCEWithLogitsLoss()
for ep in range(12):
    for i in torch.randperm(450).split(30):
        def closure():
            l = lossf(net(X[i]), y[i]); l.backward(); return l
        first = closure()
        opt.step(closure)
    with torch.no_grad():
        print(ep, f"{first.item():.4f}", "test acc", (((net(X[450:]) > 0).float() == y[450:]).float().mean().item()))
