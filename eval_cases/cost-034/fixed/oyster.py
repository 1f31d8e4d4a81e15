import time

import torch
from torch import nn

torch.manual_seed(17)
x = torch.randn(2000, 9)
y = (x[:, 0] + x[:, 1] * x[:, 2] > 0).long()
net = nn.Sequential(nn.Linear(9, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
clock = time.perf_counter()
for epoch in range(1, 16):
    for rows in torch.randperm(1900).split(50):
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
spent = time.perf_counter() - clock
clock, right = time.perf_counter(), 0
with torch.no_grad():
    for k in range(1900, 1960):
        answer = net(x[k : k + 1]).argmax(1).item()
        right += answer == y[k].item()
print(f"training {spent:.2f} s, report {time.perf_counter() - clock:.3f} s, right {right} of 60")
