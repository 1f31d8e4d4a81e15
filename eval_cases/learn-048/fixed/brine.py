import torch
from torch import nn

torch.manual_seed(15)
x = torch.randn(1000, 4)
salty = (x[:, 0] ** 2 + x[:, 1] > 0.7).float()
net = nn.Sequential(nn.Linear(4, 24), nn.Sigmoid(), nn.Linear(24, 24), nn.Sigmoid(), nn.Linear(24, 1), nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for epoch in range(1, 26):
    for rows in torch.randperm(800).split(40):
        loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]), salty[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {((net(x[800:]) > 0).float() == salty[800:]).float().mean().item():.3f}")
