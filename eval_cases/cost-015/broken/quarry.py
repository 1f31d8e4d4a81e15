import time

import torch
from torch import nn

torch.manual_seed(6)
torch.autograd.set_detect_anomaly(True)


class Quarry(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(12, 24)] + [nn.Linear(24, 24) for _ in range(6)])
        self.out = nn.Linear(24, 1)

    def forward(self, h):
        for part in self.parts:
            h = torch.tanh(part(h)) + 0.1 * torch.sin(part(h))
        return self.out(h)[:, 0]


x = torch.randn(1200, 12)
stone = torch.relu(x[:, 0]) - x[:, 1] * x[:, 2]
net = Quarry()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
clock = time.perf_counter()
for step in range(1, 151):
    rows = torch.randint(1000, (32,))
    loss = nn.functional.mse_loss(net(x[rows]), stone[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 50 == 0:
        print(f"step {step} loss {loss.item():.3f} {20 * (time.perf_counter() - clock):.2f} ms a step")
        clock = time.perf_counter()
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(x[1000:]), stone[1000:]).item():.3f}")
