import json
import pathlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

conf = json.loads((pathlib.Path(__file__).resolve().parent / "kite.json").read_text())
torch.manual_seed(conf["seed"])


def flights(n):
    x = torch.randn(n, 5)
    return x, ((x[:, 0] - 0.5).square() + x[:, 1] > 0.8).long()


x, y = flights(400)
xt, yt = flights(300)
loader = DataLoader(TensorDataset(x, y), batch_size=conf["batch_size"], shuffle=True, drop_last=True)
net = nn.Sequential(nn.Linear(5, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 2))
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
for epoch in range(conf["epochs"]):
    net.train()
    for bx, by in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(bx), by).backward()
        opt.step()
    net.eval()
    if epoch % 6 == 5:
        with torch.no_grad():
            print(f"epoch {epoch + 1} accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
