import random

import torch
from torch import nn

from helpers import GradStats, apply_gradients, pad_batch

torch.manual_seed(21)
random.seed(21)

VOCAB = "()[]"


def make_example():
    """Bracket strings; label 1 when every bracket closes properly."""
    s, stack = [], []
    for _ in range(random.randint(2, 5)):
        if stack and random.random() < 0.5:
            s.append(stack.pop())
        else:
            b = random.choice("([")
            s.append(b)
            stack.append(")" if b == "(" else "]")
    while stack:
        s.append(stack.pop())
    label = 1
    if random.random() < 0.5:
        k = random.randrange(len(s))
        s[k] = random.choice([c for c in VOCAB if c != s[k]])
        label = 0
    return [VOCAB.index(c) + 1 for c in s], label


class BracketNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.embed = nn.Embedding(len(VOCAB) + 1, 8, padding_idx=0)
        self.rnn = nn.GRU(8, width, batch_first=True)
        self.head = nn.Linear(width, 1)

    def forward(self, ids, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.embed(ids), lengths, batch_first=True, enforce_sorted=False)
        _, last = self.rnn(packed)
        return self.head(last[0]).squeeze(-1)


examples = [make_example() for _ in range(1600)]
train, test = examples[:1300], examples[1300:]
model = BracketNet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
stats = GradStats()

for epoch in range(1, 16):
    random.shuffle(train)
    total = 0.0
    for i in range(0, len(train), 50):
        ids, lengths, target = pad_batch(train[i:i + 50])
        loss = nn.functional.binary_cross_entropy_with_logits(model(ids, lengths), target)
        stats.add(apply_gradients(loss, model, optimizer, max_norm=1.0))
        total += loss.item() * len(target)
    if epoch % 3 == 0:
        print(f"epoch {epoch:2d} loss {total / len(train):.4f} grad norm {stats.flush():.3f}")

with torch.no_grad():
    ids, lengths, target = pad_batch(test)
    acc = ((model(ids, lengths) > 0).float() == target).float().mean().item()
print(f"test accuracy {acc:.3f}")
