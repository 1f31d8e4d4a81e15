"""SAM as in the much-copied repository: first_step / second_step, zero_grad=True inside them."""
import torch
from torch import nn
from sklearn.datasets import load_digits


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base_optimizer, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base_optimizer = base_optimizer(self.param_groups, **kwargs)
        self.param_groups = self.base_optimizer.param_groups

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        norm = torch.norm(torch.stack([p.grad.norm(p=2) for g in self.param_groups for p in g["params"] if p.grad is not None]), p=2)
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None: continue
                self.state[p]["old_p"] = p.data.clone()
                p.add_(p.grad * g["rho"] / (norm + 1e-12))
        if zero_grad: self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None: continue
                p.data = self.state[p]["old_p"]
        self.base_optimizer.step()
        if zero_grad: self.zero_grad()


torch.manual_seed(0)
d = load_digits(); X = torch.tensor(d.data / 16).float(); y = torch.tensor(d.target)
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
opt = SAM(net.parameters(), torch.optim.SGD, rho=0.05, lr=0.1, momentum=0.9)
crit = nn.CrossEntropyLoss()
for ep in range(8):
    for i in torch.randperm(1400).split(64):
        loss = crit(net(X[i]), y[i])
        loss.backward()
        opt.first_step(zero_grad=True)
        crit(net(X[i]), y[i]).backward()
        opt.second_step(zero_grad=True)
    with torch.no_grad():
        print(ep, round(loss.item(), 4), (net(X[1400:]).argmax(1) == y[1400:]).float().mean().item())
