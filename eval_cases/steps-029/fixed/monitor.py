import torch
from torch import nn
from torch.nn import functional as F


class Forecast(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 20, batch_first=True)
        self.out = nn.Linear(20, 1)

    def forward(self, x):
        h, _ = self.gru(x)
        return self.out(h[:, -1]).squeeze(1)


def tides(n):
    start = torch.rand(n, 1) * 100
    t = start + torch.arange(25)
    level = torch.sin(t * 0.5) + 0.5 * torch.sin(t * 0.23 + 1)
    return level[:, :24, None] + 0.02 * torch.randn(n, 24, 1), level[:, 24]


torch.manual_seed(27)
x, y = tides(800)
xt, yt = tides(200)
net = Forecast()
opt = torch.optim.Adam(net.parameters(), lr=8e-3)
for epoch in range(1, 10):
    monitored_mae = 0.0
    for idx in torch.randperm(800).split(40):
        pred = net(x[idx])
        loss = F.mse_loss(pred, y[idx])
        mae = F.l1_loss(pred.detach(), y[idx])
        monitored_mae += mae.item() / 20
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} objective mse {loss.item():.4f}, monitored mae {monitored_mae:.4f}")
with torch.no_grad():
    print(f"test mae {F.l1_loss(net(xt), yt).item():.4f}")
