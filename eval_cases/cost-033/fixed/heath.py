import torch
from torch import nn


@torch.inference_mode()
def check(net, x, y):
    net.eval()
    value = nn.functional.mse_loss(net(x), y).item()
    net.train()
    return value


torch.manual_seed(13)
x = torch.randn(6000, 10)
y = (x[:, 0].abs() + x[:, 1])[:, None]
net = nn.Sequential(nn.Linear(10, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(1, 301):
    rows = torch.randint(1000, (50,))
    loss = nn.functional.mse_loss(net(x[rows]), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 60 == 0:
        print(f"step {step} loss {loss.item():.4f} validation {check(net, x[1000:], y[1000:]):.4f}")
