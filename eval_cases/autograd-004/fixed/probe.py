import tomllib
from pathlib import Path

import torch
from torch import nn

conf = tomllib.loads((Path(__file__).parent / "probe.toml").read_text())


def sensors(n, generator):
    place = torch.randint(0, conf["classes"], (n,), generator=generator)
    angle = place * 1.5708 + 0.35 * torch.randn(n, generator=generator)
    base = torch.stack([angle.cos(), angle.sin()], 1)
    mixing = torch.randn(2, 12, generator=torch.Generator().manual_seed(0))
    return base @ mixing + 0.1 * torch.randn(n, 12, generator=generator), place


class Features(nn.Module):
    """The projected readings; with `cache` they are computed once for each split."""

    def __init__(self, n_in, n_out, cache):
        super().__init__()
        self.project = nn.Sequential(nn.Linear(n_in, n_out), nn.Tanh())
        self.cache = cache
        self.kept = {}

    def forward(self, name, x):
        if not self.cache:
            return self.project(x)
        if name not in self.kept:
            self.kept[name] = self.project(x)
        return self.kept[name]


torch.manual_seed(conf["fit"]["seed"])
generator = torch.Generator().manual_seed(conf["fit"]["seed"])
splits = {"train": sensors(300, generator), "test": sensors(100, generator)}

features = Features(12, conf["features"]["projection"], conf["features"]["cache"])
head = nn.Linear(conf["features"]["projection"], conf["classes"])
optimizer = torch.optim.Adam([*features.parameters(), *head.parameters()], lr=conf["fit"]["lr"])

for epoch in range(conf["fit"]["epochs"]):
    x, place = splits["train"]
    loss = nn.functional.cross_entropy(head(features("train", x)), place)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch:2d} loss {loss.item():.4f}")

with torch.no_grad():
    x, place = splits["test"]
    right = (head(features("test", x)).argmax(1) == place).float().mean().item()
print(f"place right: {right:.2f}")
