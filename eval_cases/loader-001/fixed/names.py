import random

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def invent(kind, rng):
    start, middle, end = {
        "river": (("al", "be", "mo", "tha"), ("da", "lu", "ri"), ("mes", "ne", "ra")),
        "town": (("ash", "nor", "stock", "wel"), ("", "ing", "er"), ("ton", "ford", "ham")),
        "star": (("al", "deneb", "ri", "zub"), ("ge", "ta", "ka"), ("bar", "ir", "ran")),
    }[kind]
    return rng.choice(start) + "".join(rng.choice(middle) for _ in range(rng.randint(1, 3))) + rng.choice(end)


class Names(Dataset):
    kinds = ("river", "town", "star")

    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.items = [(invent(k, rng), k) for k in (rng.choice(self.kinds) for _ in range(n))]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        name, kind = self.items[i]
        return torch.tensor([LETTERS.index(c) + 1 for c in name]), self.kinds.index(kind)


class NameNet(nn.Module):
    def __init__(self, n_kinds, dim=12, hidden=24):
        super().__init__()
        self.letters = nn.Embedding(len(LETTERS) + 1, dim, padding_idx=0)
        self.gru = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_kinds)

    def forward(self, ids):
        states, _ = self.gru(self.letters(ids))
        shown = (ids > 0).unsqueeze(-1)
        return self.out((states * shown).sum(1) / shown.sum(1))


def together(items):
    ids, kinds = zip(*items)
    return pad_sequence(list(ids), batch_first=True), torch.tensor(kinds)


torch.manual_seed(16)
train = DataLoader(Names(500, 1), batch_size=25, shuffle=True, collate_fn=together)
test = DataLoader(Names(120, 2), batch_size=40, collate_fn=together)
net = NameNet(len(Names.kinds))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(5):
    for ids, kinds in train:
        loss = nn.functional.cross_entropy(net(ids), kinds)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    hits = sum((net(ids).argmax(1) == kinds).sum().item() for ids, kinds in test)
print(f"kind right for {hits} of 120 names")
