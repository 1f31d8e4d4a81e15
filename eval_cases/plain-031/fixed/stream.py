"""IterableDataset sharded over two workers, variable length sequences, custom collate with padding and masks."""
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Parentheses(IterableDataset):
    """is the sequence of brackets balanced?"""

    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __iter__(self):
        info = get_worker_info()
        k, K = (info.id, info.num_workers) if info else (0, 1)
        r = random.Random(self.seed)
        for i in range(self.n):
            seq, depth = [], 0
            L = r.randrange(2, 9) * 2
            bal = r.random() < 0.5
            for j in range(L):
                up = depth == 0 or (depth < L - j and r.random() < 0.5)
                seq.append(1 if up else 2)
                depth += 1 if up else -1
            if not bal:
                j = r.randrange(L)
                seq[j] = 3 - seq[j]
            if i % K == k:
                yield torch.tensor(seq), bal


def collate(b):
    xs, ys = zip(*b)
    return pad_sequence(xs, batch_first=True, padding_value=0), torch.tensor([len(x) for x in xs]), torch.tensor(ys, dtype=torch.float32)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(3, 8, padding_idx=0)
        self.rnn = nn.GRU(8, 24, batch_first=True)
        self.out = nn.Linear(24, 1)

    def forward(self, x, n):
        h, _ = self.rnn(self.emb(x))
        return self.out(h[torch.arange(len(x)), n - 1]).squeeze(1)


def main():
    torch.manual_seed(0)
    net = Net()
    opt = torch.optim.Adam(net.parameters(), 1e-2)
    crit = nn.BCEWithLogitsLoss()
    for ep in range(4):
        dl = DataLoader(Parentheses(3000, ep), batch_size=40, num_workers=2, collate_fn=collate)
        s, c, n = 0.0, 0, 0
        for x, ln, y in dl:
            z = net(x, ln)
            loss = crit(z, y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            s += loss.item() * len(y); n += len(y)
            c += ((torch.sigmoid(z) > 0.5) == y.bool()).sum().item()
        print(f"epoch {ep} loss {s / n:.4f} running acc {c / n:.3f}")
    with torch.no_grad():
        x, ln, y = next(iter(DataLoader(Parentheses(500, 99), batch_size=500, collate_fn=collate)))
        print("test acc", ((net(x, ln) > 0) == y.bool()).float().mean().item())


if __name__ == "__main__":
    main()
