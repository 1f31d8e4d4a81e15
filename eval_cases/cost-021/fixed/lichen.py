import json
import pathlib

import torch
from sklearn.datasets import load_breast_cancer
from torch import nn

conf = json.loads(pathlib.Path(__file__).with_name("repeat.json").read_text())
if conf["seed"] is not None:
    torch.manual_seed(conf["seed"])
bunch = load_breast_cancer()
x, y = torch.tensor(bunch.data).float(), torch.tensor(bunch.target).float()
train, test = torch.arange(len(y)) % 3 != 0, torch.arange(len(y)) % 3 == 0
x = (x - x[train].mean(0)) / x[train].std(0)
net = nn.Sequential(nn.Linear(30, conf["hidden"]), nn.ReLU(), nn.Dropout(0.3), nn.Linear(conf["hidden"], 1), nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
rows_of_train = train.nonzero()[:, 0]
for epoch in range(1, conf["epochs"] + 1):
    net.train()
    for pick in rows_of_train[torch.randperm(len(rows_of_train))].split(32):
        loss = nn.functional.binary_cross_entropy_with_logits(net(x[pick]), y[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.eval()
    if epoch % 4 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    out = net(x[test])
print(f"test loss {nn.functional.binary_cross_entropy_with_logits(out, y[test]).item():.5f} accuracy {((out > 0).float() == y[test]).float().mean().item():.4f}")
