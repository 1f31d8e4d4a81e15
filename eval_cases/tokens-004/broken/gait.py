import configparser
import pathlib

import torch
from torch import nn

conf = configparser.ConfigParser()
conf.read(pathlib.Path(__file__).with_name("tagger.ini"))
spec, fit = conf["model"], conf["fit"]


class Tagger(nn.Module):
    def __init__(self, hidden, batch_first):
        super().__init__()
        self.gru = nn.GRU(3, hidden, batch_first=batch_first)
        self.tag = nn.Linear(hidden, 2)

    def forward(self, x):
        states, _ = self.gru(x)
        return self.tag(states)


def walks(n, g, steps=18):
    """[walk, step, reading]; a step is tagged if pressure rose twice in a row."""
    x = torch.randn(n, steps, 3, generator=g)
    p = x[:, :, 0]
    rose = torch.zeros(n, steps, dtype=torch.bool)
    rose[:, 2:] = (p[:, 2:] > p[:, 1:-1]) & (p[:, 1:-1] > p[:, :-2])
    return x, rose.long()


torch.manual_seed(fit.getint("seed"))
g = torch.Generator().manual_seed(7)
x, y = walks(800, g)
xt, yt = walks(200, g)
model = Tagger(spec.getint("hidden"), spec.getboolean("batch_first"))
opt = torch.optim.Adam(model.parameters(), lr=fit.getfloat("lr"))
for epoch in range(1, fit.getint("epochs") + 1):
    for rows in torch.randperm(len(x)).split(fit.getint("batch")):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x[rows]).flatten(0, 1), y[rows].flatten())
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    hit = model(xt).argmax(2) == yt
print(f"without a tag {1 - yt.float().mean().item():.3f}, tags right {hit.float().mean().item():.3f}")
