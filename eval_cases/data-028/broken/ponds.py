import json
import pathlib

import torch


def ponds(n, gen):
    z = torch.randn(n, 4, generator=gen)
    bloom = (z[:, 0] + z[:, 2] - 0.5 * z[:, 1] * z[:, 3] > 0.2).float()
    raw = z * torch.tensor([11.0, 1.1, 9.0, 6.0]) + torch.tensor([52.0, 7.4, 1013.0, 18.0])
    return raw, bloom


class Scaler:
    def __init__(self, mean, std):
        self.mean, self.std = torch.tensor(mean), torch.tensor(std)

    def __call__(self, raw):
        return (raw - self.mean) / self.std


book = json.loads(pathlib.Path(__file__).with_name("scaling.json").read_text())
scaler = {part: Scaler(**book[part]) for part in ("train", "test")}
gen = torch.Generator().manual_seed(19)
torch.manual_seed(19)
raw, bloom = ponds(800, gen)
raw_test, bloom_test = ponds(400, gen)
x, xt = scaler["train"](raw), scaler["test"](raw_test)

net = torch.nn.Sequential(torch.nn.Linear(4, 32), torch.nn.SiLU(), torch.nn.Linear(32, 1))
opt = torch.optim.RMSprop(net.parameters(), lr=0.005)
for epoch in range(1, 31):
    for rows in torch.randperm(800).split(40):
        opt.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(x[rows])[:, 0], bloom[rows])
        loss.backward()
        opt.step()
    if epoch % 6 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    hit = ((net(xt)[:, 0] > 0).float() == bloom_test).float().mean().item()
print(f"test accuracy {hit:.3f}")
