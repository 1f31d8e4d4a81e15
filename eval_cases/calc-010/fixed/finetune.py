import argparse

import torch
from torch import nn


def make_messages(n, n_words, seed):
    g = torch.Generator().manual_seed(seed)
    weight = torch.randn(n_words, generator=torch.Generator().manual_seed(0))
    words = torch.randint(0, n_words, (n, 14), generator=g)
    return words, (weight[words].sum(1) > 0).float()


class Urgent(nn.Module):
    def __init__(self, n_words, width):
        super().__init__()
        self.embedding = nn.Embedding(n_words, width)
        self.read = nn.GRU(width, 24, batch_first=True)
        self.out = nn.Linear(24, 1)

    def forward(self, words):
        states, _ = self.read(self.embedding(words))
        return self.out(states.mean(1)).squeeze(1)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--vectors", default="vectors.pt")
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--batch", type=int, default=40)
    p.add_argument("--lr", type=float, default=0.01)
    return p.parse_args()


args = parse()
torch.manual_seed(19)
vectors = torch.load(args.vectors, weights_only=True)
n_words, width = vectors["embedding.weight"].shape
words, urgent = make_messages(1800, n_words, 1)
test_words, test_urgent = make_messages(300, n_words, 2)

model = Urgent(n_words, width)
missing, extra = model.load_state_dict(vectors, strict=False)
print("from scratch:", ", ".join(missing))

criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
step = 0
for epoch in range(args.epochs):
    for rows in torch.randperm(len(words)).split(args.batch):
        loss = criterion(model(words[rows]), urgent[rows])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 25 == 0:
            print(f"step {step:4d}  loss {loss.item():.4f}")
        step += 1

with torch.no_grad():
    logit = model(test_words)
print(f"test loss {criterion(logit, test_urgent):.4f}  accuracy {((logit > 0) == (test_urgent > 0.5)).float().mean():.3f}")
