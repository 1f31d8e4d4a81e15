import torch
from torch import nn
from sklearn.datasets import make_moons


class TwoStep(torch.optim.Optimizer):
    """Climbs to the worst point nearby, then steps from there with the gradient found on top."""

    def __init__(self, params, base, rho=0.05, **options):
        super().__init__(params, dict(rho=rho, **options))
        self.base = base(self.param_groups, **options)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def climb(self):
        norm = torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"]]).norm()
        for group in self.param_groups:
            for p in group["params"]:
                shift = p.grad * group["rho"] / (norm + 1e-12)
                p.add_(shift)
                self.state[p]["shift"] = shift
        self.zero_grad()

    @torch.no_grad()
    def step(self, closure=None):
        closure = torch.enable_grad()(closure)
        self.climb()
        closure()
        for group in self.param_groups:
            for p in group["params"]:
                p.sub_(self.state[p]["shift"])
        self.base.step()
        self.zero_grad()


torch.manual_seed(4)
x, y = make_moons(600, noise=0.15, random_state=4)
x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)
net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 2))
opt = TwoStep(net.parameters(), torch.optim.SGD, lr=0.2, momentum=0.9)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(20):
    for rows in torch.randperm(500).split(50):

        def closure():
            loss = loss_fn(net(x[rows]), y[rows])
            loss.backward()
            return loss

        loss = closure()
        opt.step(closure)
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"accuracy {(net(x[500:]).argmax(1) == y[500:]).float().mean().item():.3f}")
