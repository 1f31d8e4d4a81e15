import json
import time
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

conf = json.load(open(Path(__file__).with_name("bake.json")))
torch.manual_seed(conf["seed"])
x = torch.randn(900, 6)
rise = (torch.tanh(x[:, 0]) + 0.5 * x[:, 1] + 0.1 * torch.randn(900))[:, None]
loader = DataLoader(TensorDataset(x[:600], rise[:600]), batch_size=conf["batch"], shuffle=True)
net = nn.Sequential(nn.Linear(6, 24), nn.SiLU(), nn.Linear(24, 1))
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    clock = time.perf_counter()
    for bx, by in loader:
        loss = nn.functional.mse_loss(net(bx), by)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print(f"epoch {epoch} test mse {nn.functional.mse_loss(net(x[600:]), rise[600:]).item():.4f} {time.perf_counter() - clock:.3f} s")
