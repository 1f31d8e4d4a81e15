import numpy as np
import torch
from torch import nn

torch.manual_seed(30)
np.random.seed(30)


class Regressor(nn.Module):
    def __init__(self, p=0.1):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(1, 64), nn.Linear(64, 64)])
        self.drop = nn.Dropout(p)
        self.last = nn.Linear(64, 1)

    def forward(self, x):
        for layer in self.layers:
            x = self.drop(torch.relu(layer(x)))
        return self.last(x)


def target(x):
    return np.sin(2 * x) + 0.3 * x


def sample(n):
    x = np.random.uniform(-2, 2, (n, 1))
    y = target(x) + np.random.normal(0, 0.1, (n, 1))
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)


x, y = sample(400)
xv, yv = sample(200)
model = Regressor()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.StepLR(opt, 30, 0.3)

for epoch in range(60):
    model.train()
    for rows in torch.randperm(len(x)).split(50):
        opt.zero_grad()
        nn.functional.mse_loss(model(x[rows]), y[rows]).backward()
        opt.step()
    sched.step()
    if epoch % 15 == 14:
        model.eval()
        with torch.no_grad():
            print(f"epoch {epoch + 1}: validation mse {nn.functional.mse_loss(model(xv), yv):.4f}")

model.eval()
with torch.no_grad():
    rmse = nn.functional.mse_loss(model(xv), yv).sqrt().item()

# Monte-Carlo dropout: sample the network to get error bars
model.train()
with torch.no_grad():
    near, far = torch.linspace(-1, 1, 50).unsqueeze(1), torch.linspace(4, 6, 50).unsqueeze(1)
    spread = {}
    for name, grid in (("inside", near), ("outside", far)):
        draws = torch.stack([model(grid) for _ in range(60)])
        spread[name] = draws.std(0).mean().item()
model.eval()
print(f"error bars: {spread['inside']:.3f} inside the data, {spread['outside']:.3f} outside")
print(f"validation rmse {rmse:.3f} (noise 0.100)")
