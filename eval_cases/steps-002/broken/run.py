import pathlib
import tomllib

import torch
from pipeline import Pipeline

HERE = pathlib.Path(__file__).parent


def bearings(n, g):
    hours, load, temp = torch.rand(3, n, generator=g)
    wear = 1.5 * hours * load + torch.sin(2 * temp) - 0.4
    return torch.stack([hours, load, temp], 1), (wear + 0.03 * torch.randn(n, generator=g))[:, None]


conf = tomllib.loads((HERE / "job.toml").read_text())
torch.manual_seed(0)
g = torch.Generator().manual_seed(7)
x, y = bearings(800, g)
xt, yt = bearings(200, g)
pipe = Pipeline(conf)
print(conf["title"], "- variance of the target", round(yt.var().item(), 3))
for epoch in range(conf["epochs"]):
    losses = [pipe.process(x[i], y[i]) for i in torch.randperm(len(x)).split(conf["batch"])]
    if (epoch + 1) % 5 == 0:
        print(f"epoch {epoch + 1}: {sum(losses) / len(losses):.4f}")
print(f"held-out mse {pipe.score(xt, yt):.4f}")
