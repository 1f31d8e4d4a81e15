import argparse
import json
import pathlib

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import Engine, KeepBest, Printer

parser = argparse.ArgumentParser()
parser.add_argument("--conf", default="base")
name = parser.parse_args().conf
conf = json.loads((pathlib.Path(__file__).parent / "conf" / f"{name}.json").read_text())
torch.manual_seed(conf["seed"])

bunch = load_digits()
x = torch.tensor(bunch.images, dtype=torch.float32)[:, None] / 8 - 1
y = torch.tensor(bunch.target)
order = torch.randperm(len(x))
fit_rows, val_rows = order[:1440], order[1440:]

c1, c2 = conf["channels"]
net = nn.Sequential(
    nn.Conv2d(1, c1, 3, padding=1), nn.ReLU(),
    nn.Conv2d(c1, c2, 3, stride=2, padding=1), nn.ReLU(),
    nn.Flatten(),
    nn.Linear(c2 * 16, conf["fc"]), nn.ReLU(),
    nn.Linear(conf["fc"], 10),
)
opt = torch.optim.Adam(net.parameters(), **conf["optimizer"])
best = KeepBest("accuracy")
engine = Engine(net, opt, nn.CrossEntropyLoss(), [Printer(every=3), best])
engine.fit(
    DataLoader(TensorDataset(x[fit_rows], y[fit_rows]), conf["batch_size"], shuffle=True),
    (x[val_rows], y[val_rows]),
    conf["epochs"],
)
print(f"best validation accuracy {best.best:.4f}")
