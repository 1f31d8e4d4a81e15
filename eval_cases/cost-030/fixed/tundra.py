import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
x = torch.randn(1024, 16)
y = (x[:, :4].sum(1) > 0).long()
loader = DataLoader(TensorDataset(x[:800], y[:800]), batch_size=100, shuffle=True, num_workers=0)
net = nn.Sequential(nn.Linear(16, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 2))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(1, 9):
    clock = time.perf_counter()
    for bx, by in loader:
        loss = nn.functional.cross_entropy(net(bx), by)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.3f} {time.perf_counter() - clock:.3f} s")
with torch.no_grad():
    print(f"test accuracy {(net(x[800:]).argmax(1) == y[800:]).float().mean().item():.3f}")
