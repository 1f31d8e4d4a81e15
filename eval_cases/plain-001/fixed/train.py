"""Tiny word-level LSTM language model: truncated BPTT, tied weights, gradient accumulation."""
import math
import random

import torch
import torch.nn as nn

SEQ, BATCH, HID, ACCUM = 20, 16, 48, 2
random.seed(7)
torch.manual_seed(7)


def make_text(n):
    subj = ["the cat", "a dog", "my friend", "the old man", "she"]
    verb = ["sees", "likes", "chases", "forgets"]
    obj = ["a bird", "the sea", "some bread", "the moon", "him"]
    out = []
    for _ in range(n):
        i = random.randrange(5)
        out.append(f"{subj[i]} {verb[i % 4]} {obj[(i + 2) % 5]} .")
    return " ".join(out)


words = make_text(2200).split()
vocab = sorted(set(words))
stoi = {w: i for i, w in enumerate(vocab)}
ids = torch.tensor([stoi[w] for w in words])


def batchify(x, b):
    n = len(x) // b
    return x[: n * b].view(b, n).t().contiguous()


train_ids, val_ids = batchify(ids[:-1500], BATCH), batchify(ids[-1500:], BATCH)


class LM(nn.Module):
    def __init__(self, v):
        super().__init__()
        self.emb = nn.Embedding(v, HID)
        self.drop = nn.Dropout(0.2)
        self.rnn = nn.LSTM(HID, HID)
        self.out = nn.Linear(HID, v)
        self.out.weight = self.emb.weight  # tied
        nn.init.uniform_(self.emb.weight, -0.1, 0.1)
        nn.init.zeros_(self.out.bias)

    def forward(self, x, state):
        h, state = self.rnn(self.drop(self.emb(x)), state)
        return self.out(self.drop(h)), state


def repackage(s):
    return None if s is None else tuple(t.detach() for t in s)


@torch.no_grad()
def evaluate(m):
    m.eval()
    tot, n, st = 0.0, 0, None
    for i in range(0, len(val_ids) - 1, SEQ):
        L = min(SEQ, len(val_ids) - 1 - i)
        o, st = m(val_ids[i:i + L], st)
        tot += L * nn.functional.cross_entropy(o.flatten(0, 1), val_ids[i + 1:i + 1 + L].flatten()).item()
        n += L
    return tot / n


model = LM(len(vocab))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
crit = nn.CrossEntropyLoss()
for epoch in range(4):
    model.train()
    state, step = None, 0
    for i in range(0, len(train_ids) - 1 - SEQ, SEQ):
        state = repackage(state)
        out, state = model(train_ids[i:i + SEQ], state)
        loss = crit(out.view(-1, len(vocab)), train_ids[i + 1:i + 1 + SEQ].view(-1))
        (loss / ACCUM).backward()
        step += 1
        if step % ACCUM == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            opt.zero_grad()
        if step % 20 == 0:
            print(f"epoch {epoch} step {step} loss {loss.item():.3f}")
    v = evaluate(model)
    print(f"epoch {epoch} val loss {v:.3f} ppl {math.exp(v):.2f}")
