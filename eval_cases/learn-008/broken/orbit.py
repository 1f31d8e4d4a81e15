import torch
from net import build

torch.manual_seed(28)


def orbits(n):
    x = torch.randn(n, 6)
    return x, (torch.cos(x[:, 0] + x[:, 1]) + 0.5 * x[:, 2])[:, None]


x, y = orbits(1000)
xt, yt = orbits(300)
net = build([6, 40, 40, 40, 1])
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for epoch in range(1, 31):
    for bx, by in zip(x.split(50), y.split(50)):
        opt.zero_grad()
        loss = (net(bx) - by).square().mean()
        loss.backward()
        opt.step()
    if epoch % 6 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test mse {(net(xt) - yt).square().mean().item():.4f}, variance {yt.var().item():.3f}")
