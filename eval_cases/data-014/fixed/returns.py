import json
import pathlib

import numpy as np
import torch
from encode import MeanEncoder

conf = json.loads((pathlib.Path(__file__).parent / "prepare.json").read_text())
rng = np.random.default_rng(conf["seed"])
n = 1600
shop = rng.integers(0, 450, n)
basket = rng.normal(size=(n, 5))
returned = (basket[:, 0] - basket[:, 1] + rng.normal(0, 0.7, n) > 0).astype(float)

order = rng.permutation(n)
cut = int(n * (1 - conf["test_share"]))
part = {"train": order[:cut], "test": order[cut:]}
rows = np.concatenate([part[name] for name in conf["encode"]["fit_on"]])
encoder = MeanEncoder().fit(shop[rows], returned[rows])
features = np.column_stack([basket, 4 * encoder.transform(shop) - 2])
x, y = torch.tensor(features).float(), torch.tensor(returned).float()

torch.manual_seed(conf["seed"])
net = torch.nn.Sequential(torch.nn.Linear(6, 12), torch.nn.ReLU(), torch.nn.Linear(12, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
live_x = rng.normal(size=(1000, 5))
live_y = live_x[:, 0] - live_x[:, 1] + rng.normal(0, 0.7, 1000) > 0
live = torch.tensor(np.column_stack([live_x, 4 * encoder.transform(rng.integers(0, 450, 1000)) - 2])).float()
for epoch in range(15):
    for batch in torch.tensor(rng.permutation(part["train"])).split(40):
        opt.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(x[batch]).squeeze(1), y[batch])
        loss.backward()
        opt.step()
with torch.no_grad():
    offline = ((net(x[part["test"]]).squeeze(1) > 0) == (y[part["test"]] > 0.5)).float().mean().item()
    online = ((net(live).squeeze(1) > 0) == torch.tensor(live_y)).float().mean().item()
print(f"loss {loss.item():.3f}")
print(f"live {online:.3f} test {offline:.3f}")
