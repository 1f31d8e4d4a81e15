import argparse

import torch
from torch import nn

BASE = 11


class SelfAttention(nn.Module):
    def __init__(self, d, longest):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.register_buffer("hidden", torch.ones(longest, longest, dtype=torch.bool).triu(1))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        score = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
        t = x.shape[1]
        score = score.masked_fill(self.hidden[:t, :t], float("-inf"))
        return self.proj(score.softmax(-1) @ v)


class TinyGPT(nn.Module):
    def __init__(self, d=48, longest=16):
        super().__init__()
        self.tok, self.pos = nn.Embedding(BASE, d), nn.Embedding(longest, d)
        self.attention = SelfAttention(d, longest)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
        self.n1, self.n2, self.n3 = (nn.LayerNorm(d) for _ in range(3))
        self.out = nn.Linear(d, BASE)

    def forward(self, ids):
        x = self.tok(ids) + self.pos(torch.arange(ids.shape[1]))
        x = x + self.attention(self.n1(x))
        x = x + self.mlp(self.n2(x))
        return self.out(self.n3(x))


def numbers(n, length=16):
    """Counts on by a step that is fixed for the row."""
    start, by = torch.randint(0, BASE, (2, n, 1))
    return (start + by * torch.arange(length)) % BASE


ap = argparse.ArgumentParser()
ap.add_argument("--steps", type=int, default=300)
args = ap.parse_args()
torch.manual_seed(2)
model = TinyGPT()
opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
for step in range(1, args.steps + 1):
    ids = numbers(32)
    loss = nn.functional.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 75 == 0:
        print(f"step {step} loss {loss.item():.4f}")
truth = numbers(200)
ids = truth[:, :5]
with torch.no_grad():
    while ids.shape[1] < 16:
        ids = torch.cat([ids, model(ids)[:, -1:].argmax(2)], 1)
print(f"sampled numbers right {(ids[:, 5:] == truth[:, 5:]).float().mean().item():.3f}")
