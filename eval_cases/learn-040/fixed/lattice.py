import torch
from torch import nn


class Step(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.lin = nn.LayerNorm(width), nn.Linear(width, width)

    def forward(self, h):
        return h + 0.2 * torch.tanh(self.lin(self.norm(h)))


torch.manual_seed(0)
x = torch.randn(1000, 6)
y = (torch.sin(x[:, 0]) + x[:, 1].abs() - x[:, 2])[:, None]
net = nn.Sequential(nn.Linear(6, 16), *[Step(16) for _ in range(40)], nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(1, 11):
    for rows in torch.randperm(800).split(80):
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(x[800:]), y[800:]).item():.4f} variance {y[800:].var().item():.3f}")
