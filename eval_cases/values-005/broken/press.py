import pathlib

import numpy as np
import torch
from torch import nn

CYCLE = 240.0


class Cycle(nn.Module):
    def __init__(self, harmonics=2):
        super().__init__()
        self.register_buffer("k", torch.arange(1, harmonics + 1).float())
        self.net = nn.Sequential(nn.Linear(2 * harmonics, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, phase):
        a = 2 * torch.pi * phase[:, None] * self.k
        return self.net(torch.cat([a.sin(), a.cos()], 1)).squeeze(1)


def load(path):
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32)
    elapsed = table[:, 0] - table[0, 0]
    return torch.from_numpy(np.mod(elapsed, CYCLE) / CYCLE), torch.from_numpy(table[:, 1].copy())


torch.manual_seed(5)
phase, force = load(pathlib.Path(__file__).parent / "press.csv")
order = torch.randperm(len(phase))
train, test = order[:800], order[800:]
model = Cycle()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(1, 25):
    for rows in train[torch.randperm(800)].split(40):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(phase[rows]), force[rows])
        loss.backward()
        opt.step()
    if epoch % 8 == 0:
        print(f"epoch {epoch} mse {loss.item():.4f}")
print(f"variance of the force {force.var().item():.3f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(model(phase[test]), force[test]).item():.4f}")
