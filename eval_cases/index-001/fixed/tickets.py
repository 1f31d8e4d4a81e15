"""Routes support tickets to a team by their words."""
import random

import torch
from torch import nn

WORDS = {
    "billing": "invoice refund charge card payment price plan discount tax receipt".split(),
    "network": "router signal cable slow outage wifi modem latency drop antenna".split(),
    "account": "password login email reset locked profile name username verify delete".split(),
}
FILLER = "please the my is help with since today again still hello thanks".split()


def write_ticket(team, rng):
    body = rng.sample(WORDS[team], 3) + rng.sample(FILLER, 4)
    rng.shuffle(body)
    return body


class Vocabulary:
    """Words are numbered from 1; 0 stands for the padding."""

    def __init__(self, texts):
        words = sorted({w for t in texts for w in t})
        self.ids = {w: i for i, w in enumerate(words, start=1)}

    def __len__(self):
        return len(self.ids)

    def encode(self, text, length=9):
        row = [self.ids[w] for w in text][:length]
        return row + [0] * (length - len(row))


class Router(nn.Module):
    def __init__(self, n_words, n_teams, dim=16):
        super().__init__()
        self.table = nn.Embedding(n_words, dim, padding_idx=0)
        self.head = nn.Linear(dim, n_teams)

    def forward(self, ids):
        return self.head(self.table(ids).mean(dim=1))


rng = random.Random(12)
torch.manual_seed(12)
teams = list(WORDS)
answers = [rng.choice(teams) for _ in range(500)]
texts = [write_ticket(t, rng) for t in answers]
vocab = Vocabulary(texts)
x = torch.tensor([vocab.encode(t) for t in texts])
y = torch.tensor([teams.index(t) for t in answers])

model = Router(len(vocab) + 1, len(teams))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(8):
    total = 0.0
    for rows in torch.randperm(400).split(20):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch + 1}: {total / 20:.4f}")

model.eval()
with torch.no_grad():
    hits = (model(x[400:]).argmax(dim=1) == y[400:]).float().mean()
print(f"routed rightly: {hits:.1%}")
