import json
import os

import torch
from torch import nn

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "optim.json")) as fh:
    conf = json.load(fh)


class Topics(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(400, 32, mode="mean")
        self.head = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))

    def forward(self, words):
        return self.head(self.bag(words))


def notes(n, g):
    """Twelve words; a third of them come from the topic's own hundred."""
    topic = torch.randint(0, 4, (n,), generator=g)
    own = topic[:, None] * 100 + torch.randint(0, 100, (n, 12), generator=g)
    any_word = torch.randint(0, 400, (n, 12), generator=g)
    return torch.where(torch.rand(n, 12, generator=g) < 0.4, own, any_word), topic


g = torch.Generator().manual_seed(conf["seed"])
torch.manual_seed(conf["seed"])
x, topic = notes(1500, g)
xt, topic_t = notes(500, g)
net = Topics()
opt = getattr(torch.optim, conf["optimizer"])(net.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    for rows in torch.randperm(1500).split(50):
        loss = nn.functional.cross_entropy(net(x[rows]), topic[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        with torch.no_grad():
            print(f"epoch {epoch} loss {loss.item():.3f} test accuracy {(net(xt).argmax(1) == topic_t).float().mean().item():.3f}")
