import torch
from torch import nn
from torch.nn import functional as F


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return F.softplus(self.f(x)).squeeze(1)


def sightings(n):
    x = torch.randn(n, 3)
    rate = 3 * torch.exp(0.6 * x[:, 0] - 0.4 * x[:, 1] ** 2 + 0.3 * x[:, 2])
    return x, torch.poisson(rate), rate


torch.manual_seed(36)
x, n, _ = sightings(1500)
xt, nt, rate = sightings(400)
model = Counts()
opt = torch.optim.Adam(model.parameters(), lr=6e-3)
poisson = nn.PoissonNLLLoss(log_input=False)
for epoch in range(1, 21):
    for rows in torch.randperm(len(x)).split(50):
        opt.zero_grad()
        loss = poisson(model(x[rows]), n[rows])
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"relative error of the rate {((model(xt) - rate).abs().sum() / rate.sum()).item():.3f}")
