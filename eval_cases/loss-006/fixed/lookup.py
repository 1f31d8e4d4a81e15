# Key/value lookup with one attention head: which value belongs to the asked key?
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class Setup:
    n_keys: int = 16
    n_values: int = 8
    pairs: int = 6
    dim: int = 32
    batch: int = 128
    steps: int = 500
    lr: float = 4e-3
    seed: int = 8


def draw(s: Setup, n: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    keys = torch.rand(n, s.n_keys).argsort(1)[:, : s.pairs]
    values = torch.randint(0, s.n_values, (n, s.pairs))
    pick = torch.randint(0, s.pairs, (n, 1))
    return keys, values, keys.gather(1, pick).squeeze(1), values.gather(1, pick).squeeze(1)


class Lookup(nn.Module):
    def __init__(self, s: Setup):
        super().__init__()
        self.key_emb = nn.Embedding(s.n_keys, s.dim)
        self.val_emb = nn.Embedding(s.n_values, s.dim)
        self.q = nn.Linear(s.dim, s.dim, bias=False)
        self.k = nn.Linear(s.dim, s.dim, bias=False)
        self.classify = nn.Linear(s.dim, s.n_values)

    def forward(self, keys, values, asked):
        q = self.q(self.key_emb(asked)).unsqueeze(1)
        k = self.k(self.key_emb(keys))
        att = F.softmax((q * k).sum(-1) / q.shape[-1] ** 0.5, dim=-1)
        mixed = torch.einsum("np,npd->nd", att, self.val_emb(values))
        return self.classify(mixed)


def main():
    s = Setup()
    torch.manual_seed(s.seed)
    net = Lookup(s)
    opt = torch.optim.AdamW(net.parameters(), lr=s.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, s.steps)
    for step in range(s.steps):
        keys, values, asked, answer = draw(s, s.batch)
        loss = F.cross_entropy(net(keys, values, asked), answer)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 100 == 0:
            print(f"{step:>4} cross entropy {loss.item():.4f}")
    net.eval()
    with torch.no_grad():
        keys, values, asked, answer = draw(s, 2000)
        out = net(keys, values, asked)
    print(f"test cross entropy {F.cross_entropy(out, answer):.4f}, exact {(out.argmax(1) == answer).float().mean():.3f}")


if __name__ == "__main__":
    main()
