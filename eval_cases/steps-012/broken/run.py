import json
import pathlib

import torch
from engine import Engine, clip
from model import Counter

conf = json.loads(pathlib.Path(__file__).with_name("events.json").read_text())
torch.manual_seed(conf["seed"])


def series(n, length=24):
    x = (torch.rand(n, length, 1) < 0.3).float() * torch.randint(1, 4, (n, length, 1))
    return x, x.sum(1) / 4


model = Counter(conf["hidden"])
engine = Engine(model, torch.optim.SGD(model.parameters(), lr=conf["lr"]))
for event, names in conf["events"].items():
    for name in names:
        engine.on(event, {"clip": lambda: clip(model, conf["max_norm"]), "count": engine.count}[name])

for block in range(6):
    loss = engine.run(series, 100)
    print(f"after {engine.steps} steps: loss {loss:.4g}")
x, y = series(500)
with torch.no_grad():
    print(f"sums spread by {y.std().item():.4g}, mean absolute error {(model(x) - y).abs().mean().item():.4g}")
