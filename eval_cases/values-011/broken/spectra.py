import pathlib
import time

import numpy as np
import torch
from torch import nn

torch.manual_seed(9)
with np.load(pathlib.Path(__file__).parent / "spectra.npz") as z:
    x, y = torch.from_numpy(z["x"]), torch.from_numpy(z["y"])

net = nn.Sequential(nn.Linear(24, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 5))
net = net.to(x.dtype)
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
begin, steps = time.perf_counter(), 0
for epoch in range(1, 16):
    for rows in torch.randperm(280).split(140):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
        steps += 1
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
print(f"{1000 * (time.perf_counter() - begin) / steps:.1f} ms a step")
with torch.no_grad():
    print(f"test accuracy {(net(x[280:]).argmax(1) == y[280:]).float().mean().item():.3f}")
