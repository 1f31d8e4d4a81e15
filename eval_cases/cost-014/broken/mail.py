import random
import time

import torch
from torch import nn
from vocab import Vocabulary

rng = random.Random(3)
WORDS = ["".join(rng.choice("abcdefghij") for _ in range(5)) for _ in range(500)]


def letters(n):
    out = []
    for _ in range(n):
        kind = rng.randrange(2)
        own = WORDS[:60] if kind else WORDS[60:120]
        out.append((" ".join(rng.choice(own if rng.random() < 0.35 else WORDS) for _ in range(20)), kind))
    return out


torch.manual_seed(3)
train, test = letters(700), letters(200)
texts = [t for t, _ in train]
net = nn.Sequential(nn.Linear(600, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
clock = time.perf_counter()
for step in range(1, 151):
    rows = rng.sample(train, 10)
    vocabulary = Vocabulary(texts)
    x = torch.stack([vocabulary.vector(t) for t, _ in rows])
    loss = nn.functional.cross_entropy(net(x), torch.tensor([k for _, k in rows]))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 50 == 0:
        print(f"step {step} loss {loss.item():.3f} {20 * (time.perf_counter() - clock):.2f} ms a step")
        clock = time.perf_counter()
with torch.no_grad():
    right = (net(torch.stack([vocabulary.vector(t) for t, _ in test])).argmax(1) == torch.tensor([k for _, k in test])).float().mean().item()
print(f"test accuracy {right:.3f}")
