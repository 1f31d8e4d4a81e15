import json
from pathlib import Path

import numpy as np
import torch

conf = json.loads(Path(__file__).with_name("survey.json").read_text())
rng = np.random.default_rng(conf["seed"])


def survey(n):
    kind = rng.integers(0, 8, n)
    corner = np.array([[(k >> b) & 1 for b in range(3)] for k in range(8)]) * 2.0 - 1
    probe = corner[kind] + rng.normal(0, 0.55, (n, 3))
    return np.column_stack([probe, rng.standard_t(2, (n, 2)), kind])


def clean(table, limit):
    """Spikes of the probes are cut."""
    return np.clip(table, -limit, limit)


field, fresh = survey(conf["train"]), survey(400)
field = clean(field, conf["outlier_limit"])
x, y = torch.tensor(field[:, :5]).float(), torch.tensor(field[:, 5]).long()
torch.manual_seed(conf["seed"])
net = torch.nn.Sequential(torch.nn.Linear(5, conf["hidden"]), torch.nn.ReLU(), torch.nn.Linear(conf["hidden"], 8))
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    for rows in torch.randperm(len(x)).split(45):
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
probes = torch.tensor(clean(fresh[:, :5], conf["outlier_limit"])).float()
with torch.no_grad():
    guess = net(probes).argmax(1)
print("answers per class", torch.bincount(guess, minlength=8).tolist())
print(f"accuracy on new samples {(guess == torch.tensor(fresh[:, 5])).float().mean().item():.3f}")
