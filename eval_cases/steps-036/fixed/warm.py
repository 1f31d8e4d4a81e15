import math

import torch
from torch import nn

STEPS, WARM = 400, 40


def factor(step):
    if step < WARM:
        return step / WARM
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * (step - WARM) / (STEPS - WARM)))


def orbit(n):
    t = torch.rand(n, 1) * 4
    return t, torch.cat([t.cos(), (2 * t).sin()], 1)


torch.manual_seed(28)
net = nn.Sequential(nn.Linear(1, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 2))
opt = torch.optim.AdamW(net.parameters(), lr=0.01)
sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
for step in range(STEPS):
    t, pos = orbit(64)
    loss = nn.functional.mse_loss(net(t), pos)
    opt.zero_grad()
    loss.backward()
    if step % 80 == 0:
        print(f"step {step} lr {sched.get_last_lr()[0]:.5f} loss {loss.item():.5f}")
    opt.step()
    sched.step()
with torch.no_grad():
    t, pos = orbit(500)
    print(f"final mse {nn.functional.mse_loss(net(t), pos).item():.5f}")
