import torch
from torch import nn


class Simulator:
    """Deflection of a beam for random load cases."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)

    def draw(self, n):
        load = torch.rand(n, 6, generator=self.generator) * 2 - 1
        bend = torch.sin(2 * load[:, 0]) + load[:, 1] * load[:, 2] - load[:, 3] + 0.5 * load[:, 4] ** 2
        return load, bend[:, None]


torch.manual_seed(0)
simulator = Simulator(seed=42)
net = nn.Sequential(nn.Linear(6, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for step in range(1, 601):
    load, bend = simulator.draw(24)
    loss = nn.functional.mse_loss(net(load), bend)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 150 == 0:
        print(f"step {step} loss {loss.item():.5f}")

load, bend = Simulator(seed=99).draw(2000)
with torch.no_grad():
    print(f"mse on fresh load cases {nn.functional.mse_loss(net(load), bend).item():.4f} (variance {bend.var().item():.4f})")
