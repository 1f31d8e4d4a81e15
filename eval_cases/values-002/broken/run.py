import json
import pathlib

import torch
from gauge import Gauge
from torch import nn

conf = json.loads((pathlib.Path(__file__).parent / "gauge.json").read_text())
torch.manual_seed(conf["seed"])
train, test = Gauge(pathlib.Path(__file__).parent / conf["file"], conf["missing"]).split(0.75)


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x)[:, 0]


model = Flow()
opt = torch.optim.Adam(model.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    for rows in torch.randperm(len(train[0])).split(64):
        loss = nn.functional.mse_loss(model(train[0][rows]), train[1][rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch}: {loss.item():.4f}")
with torch.no_grad():
    print(f"test mse (standardised) {nn.functional.mse_loss(model(test[0]), test[1]).item():.4f}")
