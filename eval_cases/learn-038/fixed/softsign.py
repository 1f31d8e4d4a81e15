import torch
from layer import Act
from torch import nn

torch.manual_seed(13)
x = torch.randn(1000, 4)
y = (torch.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] > 0).float()[:, None]
net = nn.Sequential(nn.Linear(4, 48), Act(), nn.Linear(48, 48), Act(), nn.Linear(48, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(1, 31):
    for rows in torch.randperm(800).split(40):
        loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 6 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {((net(x[800:]) > 0).float() == y[800:]).float().mean().item():.3f}")
