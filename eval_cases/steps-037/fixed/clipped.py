import torch
from torch import nn


def ledger(n, g):
    x = torch.randn(n, 8, generator=g)
    y = 0.7 * x[:, 0] - x[:, 1] * torch.sigmoid(2 * x[:, 2]) + 0.05 * torch.randn(n, generator=g)
    return x, y


def fit(net, x, y, epochs=15, limit=5.0):
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for epoch in range(1, epochs + 1):
        largest = 0.0
        for rows in torch.randperm(len(x)).split(50):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(x[rows])[:, 0], y[rows])
            loss.backward()
            norm = nn.utils.clip_grad_norm_(net.parameters(), limit)
            largest = max(largest, norm.item())
            opt.step()
        if epoch % 5 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f} largest gradient norm {largest:.2f}")


torch.manual_seed(37)
g = torch.Generator().manual_seed(37)
x, y = ledger(1500, g)
xt, yt = ledger(300, g)
net = nn.Sequential(nn.Linear(8, 40), nn.ReLU(), nn.Linear(40, 1))
fit(net, x, y)
with torch.no_grad():
    print(f"held-out mse {nn.functional.mse_loss(net(xt)[:, 0], yt).item():.4f}")
