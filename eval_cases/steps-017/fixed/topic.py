from pathlib import Path

import numpy as np
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, dim):
        super().__init__()
        self.table = nn.Embedding(words, dim)
        self.hidden = nn.Linear(dim, 16)
        self.out = nn.Linear(16, 2)

    def forward(self, ids):
        return self.out(torch.tanh(self.hidden(self.table(ids).mean(1))))


def set_up(module):
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=0.2)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


def build(path):
    v = torch.from_numpy(np.load(path)["v"])
    model = Tagger(*v.shape)
    model.apply(set_up)
    model.table.weight.data.copy_(v)
    model.table.weight.requires_grad_(False)
    return model


def sentences(n, lo, hi):
    """Topic 0 uses the words lo..hi of the first hundred, topic 1 those of the second."""
    topic = torch.randint(0, 2, (n,))
    return torch.randint(lo, hi, (n, 5)) + 100 * topic[:, None], topic


torch.manual_seed(17)
model = build(Path(__file__).parent / "vectors.npz")
x, y = sentences(60, 0, 30)
xt, yt = sentences(500, 30, 100)
opt = torch.optim.Adam((p for p in model.parameters() if p.requires_grad), lr=0.01)
for step in range(1, 121):
    rows = torch.randperm(60)[:20]
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
    loss.backward()
    opt.step()
    if step % 40 == 0:
        print(f"step {step} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"accuracy on sentences with new words {(model(xt).argmax(1) == yt).float().mean().item():.3f}")
