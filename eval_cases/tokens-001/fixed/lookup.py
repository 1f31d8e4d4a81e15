import math

import torch
from torch import nn


class Attend(nn.Module):
    def __init__(self, d_in, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d_in, d), nn.Linear(d_in, d), nn.Linear(d_in, d)

    def forward(self, query, memory):
        score = torch.einsum("bd,btd->bt", self.q(query), self.k(memory)) / math.sqrt(self.q.out_features)
        weight = score.softmax(dim=1)
        return torch.einsum("bt,btd->bd", weight, self.v(memory))


class Lookup(nn.Module):
    def __init__(self, names=8, values=5, d=24):
        super().__init__()
        self.name, self.value = nn.Embedding(names, d), nn.Embedding(values, d)
        self.attend = Attend(2 * d, d)
        self.out = nn.Linear(d, values)

    def forward(self, names, values, asked):
        memory = torch.cat([self.name(names), self.value(values)], 2)
        asked = self.name(asked)
        return self.out(self.attend(torch.cat([asked, torch.zeros_like(asked)], 1), memory))


def notes(n):
    """Eight names in random order, each with a value; one name is asked for."""
    names = torch.rand(n, 8).argsort(1)
    values = torch.randint(0, 5, (n, 8))
    place = torch.randint(0, 8, (n, 1))
    return names, values, names.gather(1, place).squeeze(1), values.gather(1, place).squeeze(1)


torch.manual_seed(1)
model = Lookup()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for step in range(1, 301):
    *inputs, answer = notes(64)
    loss = nn.functional.cross_entropy(model(*inputs), answer)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(f"step {step} loss {loss.item():.4f}")
right = 0
with torch.no_grad():
    for _ in range(300):
        *inputs, answer = notes(1)
        right += (model(*inputs).argmax(1) == answer).sum().item()
print(f"single questions right {right / 300:.3f}")
