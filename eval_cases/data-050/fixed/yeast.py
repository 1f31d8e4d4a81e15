import torch
from torch import nn

torch.manual_seed(60)
x = torch.rand(1600, 3) * 2 - 1
growth = torch.exp(-2 * x[:, :1] ** 2) + x[:, 1:2] * x[:, 2:] + 0.1 * torch.randn(1600, 1)
train, test = slice(0, 1200), slice(1200, 1600)
net = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1))
summed = nn.MSELoss(reduction="sum")
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, 31):
    total = 0.0
    for rows in torch.randperm(1200).split(60):
        opt.zero_grad()
        loss = summed(net(x[train][rows]), growth[train][rows])
        loss.backward()
        opt.step()
        total += loss.item()
    if epoch % 6 == 0:
        print(f"epoch {epoch} squared errors summed over 1200 samples {total:.2f}, a sample {total / 1200:.4f}")
with torch.no_grad():
    print(f"test, summed over 400 samples {summed(net(x[test]), growth[test]).item():.2f}, variance {growth[test].var().item():.3f}")
