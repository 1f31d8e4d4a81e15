import time

import torch
from torch import nn

torch.manual_seed(7)
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
way = torch.randn(64) / 8
kept = torch.empty(0, 65)
clock = time.perf_counter()
for step in range(1, 401):
    x = torch.randn(64, 64)
    y = torch.sin(x @ way)[:, None]
    out = net(x)
    loss = nn.functional.mse_loss(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    kept = torch.cat([kept, torch.cat([x, out.detach()], 1)])
    if step % 100 == 0:
        print(f"step {step} loss {loss.item():.4f} {10 * (time.perf_counter() - clock):.2f} ms a step")
        clock = time.perf_counter()
print(f"journal {tuple(kept.shape)}, loss {loss.item():.4f}")
