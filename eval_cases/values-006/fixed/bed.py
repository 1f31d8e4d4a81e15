import numpy as np
import torch
from torch import nn

ORIGIN = np.array([465_200.0, 5_412_700.0])


def survey(n, seed):
    """UTM easting and northing of probes in a bed of 2 m by 2 m, and the moisture found there."""
    rng = np.random.default_rng(seed)
    local = rng.uniform(0, 2, size=(n, 2))
    moisture = np.sin(5 * local[:, 1]) + 0.5 * np.cos(4 * local[:, 0]) + 0.03 * rng.normal(size=n)
    return ORIGIN + local, moisture


def to_local(utm):
    return torch.tensor(utm - ORIGIN, dtype=torch.float32) - 1.0


class Map(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 1))

    def forward(self, p):
        return self.layers(p).squeeze(-1)


torch.manual_seed(1)
(p, m), (pt, mt) = survey(800, 0), survey(200, 1)
p, pt = to_local(p), to_local(pt)
m, mt = (torch.tensor(v, dtype=torch.float32) for v in (m, mt))
model = Map()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 50)
for epoch in range(50):
    for rows in torch.randperm(800).split(50):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(p[rows]), m[rows])
        loss.backward()
        opt.step()
    sched.step()
    if epoch % 10 == 9:
        print(f"epoch {epoch + 1} mse {loss.item():.4f}")
with torch.no_grad():
    print(f"rmse at the control probes {(model(pt) - mt).pow(2).mean().sqrt().item():.4f}")
