import json
import os

import numpy as np
import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))

GOOD = "great lovely fast solid happy excellent pleasant reliable sturdy perfect".split()
BAD = "poor slow awful cheap flimsy late noisy rattly useless dull".split()
FILL = "the a this phone case parcel cable very it was and arrived my for with".split()
NOT = "not"
WORDS = {w: i for i, w in enumerate(GOOD + BAD + FILL + [NOT])}


def corpus(n, rng):
    """Short reviews; 'not' in front of a word turns its meaning round."""
    ids, labels = np.zeros((n, 10), dtype=np.int64), np.zeros(n, dtype=np.int64)
    for r in range(n):
        label = rng.integers(2)
        negate = rng.random() < 0.4
        words = list(rng.choice(FILL, 10))
        k = rng.integers(1, 10)
        words[k] = rng.choice(GOOD if bool(label) != negate else BAD)
        if negate:
            words[k - 1] = NOT
        ids[r] = [WORDS[w] for w in words]
        labels[r] = label
    return torch.from_numpy(ids), torch.from_numpy(labels)


class ReviewNet(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.embed = nn.Embedding(len(WORDS), dim)
        self.mixer = nn.Conv1d(dim, 16, kernel_size=2)
        self.head = nn.Linear(16, 2)

    def forward(self, ids):
        h = torch.relu(self.mixer(self.embed(ids).transpose(1, 2)))
        return self.head(h.amax(dim=2))


def make_optimizer(model, groups):
    built = []
    for g in groups:
        chosen = [p for name, p in model.named_parameters() if name.startswith(g["match"])]
        built.append({"params": chosen, "lr": g["lr"]})
    return torch.optim.Adam(built)


def main():
    with open(os.path.join(HERE, "settings.json")) as fh:
        conf = json.load(fh)
    torch.manual_seed(conf["seed"])
    rng = np.random.default_rng(conf["seed"])
    ids, labels = corpus(900, rng)
    test_ids, test_labels = corpus(500, rng)
    net = ReviewNet(conf["embedding"])
    opt = make_optimizer(net, conf["groups"])
    for epoch in range(conf["epochs"]):
        losses = []
        for rows in torch.randperm(len(ids)).split(conf["batch"]):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(ids[rows]), labels[rows])
            loss.backward()
            opt.step()
            losses.append(loss.item())
        if epoch % 3 == 0:
            print("epoch", epoch, "loss", round(float(np.mean(losses)), 4))
    with torch.no_grad():
        acc = (net(test_ids).argmax(1) == test_labels).float().mean().item()
    print("test accuracy", round(acc, 3))


main()
