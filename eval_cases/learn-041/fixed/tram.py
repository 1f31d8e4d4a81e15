import torch
from torch import nn


def warm(step, length=80):
    return min(1.0, (step + 1) / length)


torch.manual_seed(5)
x = torch.randn(1200, 8)
late = ((x[:, 0] + x[:, 1] * x[:, 2]) > 0.2).long()
net = nn.Sequential(nn.Linear(8, 64), nn.LayerNorm(64), nn.GELU(), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 2))
opt = torch.optim.AdamW(net.parameters(), lr=5e-3)
ramp = torch.optim.lr_scheduler.LambdaLR(opt, warm)
for step in range(1, 401):
    rows = torch.randint(1000, (64,))
    loss = nn.functional.cross_entropy(net(x[rows]), late[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
    ramp.step()
    if step % 50 == 0:
        print(f"step {step} rate {ramp.get_last_lr()[0]:.5f} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {(net(x[1000:]).argmax(1) == late[1000:]).float().mean().item():.3f}")
