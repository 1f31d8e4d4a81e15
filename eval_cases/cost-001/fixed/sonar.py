import torch
from meter import megabytes
from torch import nn

torch.manual_seed(2)
x = torch.randn(2000, 16)
depth = (torch.sin(x[:, 0]) + x[:, 1] * x[:, 2])[:, None]
net = nn.Sequential(nn.Linear(16, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
total, seen = 0.0, 0
begin = None
for step in range(1, 301):
    rows = torch.randint(1600, (128,))
    loss = nn.functional.mse_loss(net(x[rows]), depth[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
    total += loss.item() + nn.functional.l1_loss(net(x[rows]), depth[rows]).item()
    seen += 1
    if step == 20:
        begin = megabytes()
    if step % 60 == 0:
        print(f"step {step} running mean {total / seen:.4f}")
with torch.no_grad():
    print(f"grown by {megabytes() - begin:.0f} MB, test mse {nn.functional.mse_loss(net(x[1600:]), depth[1600:]).item():.4f}")
