import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Cfg:
    vocab: int = 12
    T: int = 6
    d: int = 32
    heads: int = 4
    layers: int = 1
    lr: float = 1e-2
    steps: int = 160
    warmup: int = 20
    batch: int = 32


class SelfAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h = c.heads
        self.qkv = nn.Linear(c.d, 3 * c.d)
        self.proj = nn.Linear(c.d, c.d)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.h, D // self.h).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(-1, -2)) / math.sqrt(D // self.h)
        att = torch.softmax(att, dim=-1)
        return self.proj((att @ v).transpose(1, 2).reshape(B, T, D))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(c.d), nn.LayerNorm(c.d)
        self.att = SelfAttention(c)
        self.ff = nn.Sequential(nn.Linear(c.d, 4 * c.d), nn.GELU(), nn.Linear(4 * c.d, c.d))
        nn.init.zeros_(self.ff[2].weight)     # residual branch starts as identity

    def forward(self, x):
        x = x + self.att(self.n1(x))
        return x + self.ff(self.n2(x))


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok = nn.Embedding(c.vocab, c.d)
        self.pos = nn.Parameter(torch.zeros(1, c.T, c.d).normal_(std=0.5))
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.norm = nn.LayerNorm(c.d)
        self.head = nn.Linear(c.d, c.vocab, bias=False)

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x))


def batch(c):                     # task: reverse the sequence
    a = torch.randint(0, c.vocab, (c.batch, c.T))
    return a, a.flip(1)


def lr_lambda(c):
    def f(s):
        if s < c.warmup:
            return (s + 1) / c.warmup
        return 0.5 * (1 + math.cos(math.pi * (s - c.warmup) / (c.steps - c.warmup))) * 0.95 + 0.05
    return f


def main():
    torch.manual_seed(0)
    c = Cfg()
    m = Model(c)
    opt = torch.optim.AdamW(m.parameters(), lr=c.lr, betas=(0.9, 0.98))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda(c))
    scaler = torch.amp.GradScaler("cpu", enabled=False)   # bf16 needs no scaling
    for s in range(c.steps):
        x, y = batch(c)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = m(x)
        loss = F.cross_entropy(logits.float().view(-1, c.vocab), y.reshape(-1))
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(m.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad(set_to_none=True)
        sched.step()
        if s % 20 == 0:
            acc = (logits.argmax(-1) == y).float().mean()
            print(f"{s:4d} lr {sched.get_last_lr()[0]:.2e} loss {loss.item():.4f} acc {acc:.3f}")
    print("final", loss.item())


if __name__ == "__main__":
    main()
