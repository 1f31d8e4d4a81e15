import torch
from meter import megabytes
from torch import nn


def dunes(n, g):
    x = torch.randn(n, 1, 32, generator=g)
    return x, x.cumsum(2).amax((1, 2))


def validate(net, x, y):
    net.eval()
    with torch.inference_mode():
        out = net(x)
        return nn.functional.mse_loss(out, y).item()


g = torch.Generator().manual_seed(10)
torch.manual_seed(10)
net = nn.Sequential(nn.Flatten(), nn.Linear(32, 128), nn.SiLU(), *[layer for _ in range(5) for layer in (nn.Linear(128, 128), nn.SiLU())], nn.Linear(128, 1), nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
xv, yv = dunes(16000, g)
begin = None
for step in range(1, 121):
    net.train()
    x, y = dunes(32, g)
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    begin = megabytes() if step == 30 else begin
    if step % 40 == 0:
        print(f"step {step} loss {loss.item():.3f} validation {validate(net, xv, yv):.3f}")
print(f"grown by {megabytes() - begin:.0f} MB, validation {validate(net, xv, yv):.3f}")
