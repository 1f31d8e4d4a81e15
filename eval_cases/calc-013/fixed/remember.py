import math

import torch
from torch import nn
import torch.nn.functional as F

LENGTH, WORDS, WIDTH = 14, 12, 32


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.back = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x):
        b, t, w = x.shape
        q, k, v = (p.view(b, t, self.heads, -1).transpose(1, 2) for p in self.qkv(self.norm1(x)).chunk(3, -1))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        future = torch.full((t, t), float("-inf")).triu(1)
        weight = torch.softmax(scores + future, -1)
        x = x + self.back((weight @ v).transpose(1, 2).reshape(b, t, w))
        return x + self.mlp(self.norm2(x))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.word = nn.Embedding(WORDS, WIDTH)
        self.place = nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.Sequential(Block(WIDTH, 4), Block(WIDTH, 4))
        self.norm = nn.LayerNorm(WIDTH)
        self.out = nn.Linear(WIDTH, WORDS)

    def forward(self, ids):
        x = self.word(ids) + self.place(torch.arange(ids.shape[1]))
        return self.out(self.norm(self.blocks(x)))


def batch(n, g):
    """a walk on a ring of words; each row has its own step width"""
    start = torch.randint(0, WORDS, (n, 1), generator=g)
    stride = torch.randint(1, 5, (n, 1), generator=g)
    row = (start + stride * torch.arange(LENGTH + 1)) % WORDS
    return row[:, :-1], row[:, 1:]


torch.manual_seed(3)
g = torch.Generator().manual_seed(3)
model = Reader()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(151):
    ids, following = batch(48, g)
    loss = F.cross_entropy(model(ids).flatten(0, 1), following.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 30 == 0:
        print(f"step {step:3d}  loss {loss.item():.4f}")

model.eval()
with torch.no_grad():
    ids, following = batch(200, g)
    right = (model(ids).argmax(-1) == following)[:, 1:].float().mean()
print(f"loss {loss.item():.4f}, next word right from the second on: {right:.3f}")
