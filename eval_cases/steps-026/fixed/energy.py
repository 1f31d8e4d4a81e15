import json
import pathlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

conf = json.loads(pathlib.Path(__file__).with_name("energy.json").read_text())


class Consumption(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.body(x).squeeze(-1)


def houses(n, g):
    x = torch.randn(n, 6, generator=g)
    return TensorDataset(x, x[:, 0] * 0.8 + torch.relu(x[:, 1]) - 0.3 * x[:, 2] ** 2 + 0.1 * torch.randn(n, generator=g))


torch.manual_seed(conf["seed"])
g = torch.Generator().manual_seed(conf["seed"])
train, valid = houses(1200, g), houses(300, g)
model = Consumption(conf["hidden"])
opt = torch.optim.AdamW(model.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    for x, y in DataLoader(train, conf["batch"], shuffle=True):
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        model.zero_grad()
    with torch.no_grad():
        x, y = valid.tensors
        value = nn.functional.mse_loss(model(x), y).item()
    if epoch % 5 == 0:
        print(f"epoch {epoch} validation mse {value:.4f}")
