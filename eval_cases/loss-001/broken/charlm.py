"""Character model for short log messages."""
import math
import random

import torch
import torch.nn as nn

random.seed(11)
torch.manual_seed(11)

WHO = ["pump", "valve", "motor", "fan", "boiler"]
DID = ["started", "stopped", "reported low flow", "went into standby", "asked for service"]
WHEN = ["at noon", "at night", "during the test", "after the reset"]


def message():
    return f"{random.choice(WHO)} {random.randint(1, 4)} {random.choice(DID)} {random.choice(WHEN)}.\n"


corpus = "".join(message() for _ in range(600))
alphabet = sorted(set(corpus))
index = {ch: i for i, ch in enumerate(alphabet)}
stream = torch.tensor([index[ch] for ch in corpus])
cut = int(0.9 * len(stream))
train_stream, valid_stream = stream[:cut], stream[cut:]

SPAN = 32


def sample(src, n):
    starts = torch.randint(0, len(src) - SPAN - 1, (n,)).tolist()
    x = torch.stack([src[s:s + SPAN] for s in starts])
    y = torch.stack([src[s + 1:s + SPAN + 1] for s in starts])
    return x, y


class CharModel(nn.Module):
    def __init__(self, n_chars, width=64):
        super().__init__()
        self.emb = nn.Embedding(n_chars, 24)
        self.rnn = nn.GRU(24, width, batch_first=True)
        self.out = nn.Linear(width, n_chars)

    def forward(self, ids):
        h, _ = self.rnn(self.emb(ids))
        # distribution over the next character
        return torch.softmax(self.out(h), dim=-1)


net = CharModel(len(alphabet))
optimizer = torch.optim.Adam(net.parameters(), lr=6e-3)
xent = nn.CrossEntropyLoss()

for step in range(1, 241):
    x, y = sample(train_stream, 24)
    optimizer.zero_grad()
    pred = net(x)
    loss = xent(pred.flatten(0, 1), y.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    if step % 60 == 0:
        print(f"step {step:4d}  loss {loss.item():.3f}")

net.eval()
with torch.no_grad():
    x, y = sample(valid_stream, 100)
    nats = xent(net(x).flatten(0, 1), y.flatten()).item()
print(f"{len(alphabet)} characters, validation perplexity {math.exp(nats):.2f}")
