import json
import time
from pathlib import Path

import torch
from petri_data import Plates
from torch import nn
from torch.utils.data import DataLoader

conf = json.load(open(Path(__file__).with_name("input.json")))
epochs = conf.pop("epochs")
torch.manual_seed(5)
loader = DataLoader(Plates(seed=1, **conf), batch_size=20, shuffle=True)
net = nn.Sequential(nn.Linear(conf["size"] ** 2, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(1, epochs + 1):
    start, mean = time.perf_counter(), 0.0
    for plate, count in loader:
        loss = nn.functional.mse_loss(net(plate), count)
        opt.zero_grad()
        loss.backward()
        opt.step()
        mean += loss.item() / len(loader)
    print(f"epoch {epoch} loss {mean:.4f} {time.perf_counter() - start:.3f} s")
