import torch
from torch import nn

DROP = 0.02


def crossing(n, g):
    x = torch.randn(n, 5, generator=g)
    return x, (2 * torch.sin(x[:, 0]) + x[:, 1] * x[:, 2] - x[:, 3])[:, None]


def network():
    return nn.Sequential(nn.Dropout(DROP), nn.Linear(5, 48), nn.GELU(), nn.Dropout(DROP), nn.Linear(48, 48), nn.GELU(), nn.Dropout(DROP), nn.Linear(48, 1))


def train(net, x, y, epochs):
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    for epoch in range(1, epochs + 1):
        net.train()
        for rows in torch.randperm(len(x)).split(40):
            loss = nn.functional.mse_loss(net(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
        net.eval()
        if epoch % 5 == 0:
            with torch.no_grad():
                print(f"epoch {epoch} training rows in eval mode {nn.functional.mse_loss(net(x), y).item():.4f}")


torch.manual_seed(2)
g = torch.Generator().manual_seed(2)
x, y = crossing(1000, g)
xt, yt = crossing(400, g)
net = network()
train(net, x, y, 25)
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(xt), yt).item():.4f}, variance {yt.var().item():.3f}")
