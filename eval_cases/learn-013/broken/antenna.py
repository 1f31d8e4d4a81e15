import json
import statistics
from pathlib import Path

import torch
from torch import nn

conf = json.load(open(Path(__file__).with_name("antenna.json")))
torch.manual_seed(conf["seed"])
x = torch.randn(1000, 8)
gain = (torch.tanh(x[:, 0] + x[:, 1]) - 0.5 * x[:, 2] + 0.25 * x[:, 3] * x[:, 4])[:, None]
net = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))
opt = torch.optim.SGD(net.parameters(), lr=conf["lr"])
slower = torch.optim.lr_scheduler.ExponentialLR(opt, conf["decay"])
for epoch in range(1, conf["epochs"] + 1):
    losses = []
    for rows in torch.randperm(800).split(conf["batch"]):
        loss = nn.functional.mse_loss(net(x[rows]), gain[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    slower.step()
    if epoch % 5 == 0:
        with torch.no_grad():
            print(f"epoch {epoch} loss {statistics.mean(losses):.4f} test mse {nn.functional.mse_loss(net(x[800:]), gain[800:]).item():.4f}")
