import json
import pathlib

import numpy as np
import torch
from choose import Columns

conf = json.loads((pathlib.Path(__file__).parent / "prepare.json").read_text())
rng = np.random.default_rng(conf["seed"])


def parcels(n):
    """Counters of the shop's web pages; most of them have nothing to do with a return."""
    x = rng.normal(size=(n, 5000)).astype("float32")
    return x, (x[:, :3].sum(1) + rng.normal(0, 0.6, n) > 0).astype("float32")


x, returned = parcels(420)
order = rng.permutation(len(x))
cut = int(len(x) * (1 - conf["test_share"]))
part = {"train": order[:cut], "test": order[cut:]}
rows = np.concatenate([part[name] for name in conf["columns"]["choose_on"]])
columns = Columns(conf["columns"]["keep"]).fit(x[rows], returned[rows])


def ready(x, y):
    return torch.from_numpy(columns.transform(x)), torch.from_numpy(y)


def accuracy(x, y):
    with torch.no_grad():
        return ((net(x).squeeze(1) > 0).float() == y).float().mean().item()


train, test = (ready(x[part[k]], returned[part[k]]) for k in ("train", "test"))
live = ready(*parcels(400))
torch.manual_seed(conf["seed"])
net = torch.nn.Linear(conf["columns"]["keep"], 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=0.05)
for epoch in range(1, 31):
    for batch in torch.randperm(cut).split(28):
        opt.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(train[0][batch]).squeeze(1), train[1][batch])
        loss.backward()
        opt.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
print(f"live {accuracy(*live):.3f} test {accuracy(*test):.3f}")
