import json
import pathlib

import torch
from torch import nn

from words import make

conf = json.loads((pathlib.Path(__file__).parent / "guess.json").read_text())


class Guesser(nn.Module):
    def __init__(self, letters, dim, classes, axis):
        super().__init__()
        self.bag = nn.EmbeddingBag(letters, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, classes))
        self.log_prob = nn.LogSoftmax(dim=axis)

    def forward(self, ids):
        return self.log_prob(self.mlp(self.bag(ids)))


torch.manual_seed(conf["seed"])
x, y = make(1500, 1)
xt, yt = make(500, 2)
net = Guesser(**conf["net"])
opt = torch.optim.AdamW(net.parameters(), lr=conf["lr"])
nll = nn.NLLLoss()
for epoch in range(1, conf["epochs"] + 1):
    total = 0.0
    for rows in torch.randperm(len(x)).split(conf["batch"]):
        opt.zero_grad()
        loss = nll(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
        total += loss.item() * len(rows) / len(x)
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {total:.4f}")
with torch.no_grad():
    answers = torch.stack([net(word[None]).argmax() for word in xt])
print(f"accuracy on single words {(answers == yt).float().mean().item():.3f}")
