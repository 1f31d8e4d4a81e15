"""Routes support tickets to a desk and prints how sure the router is."""
import random
import re

import torch
from torch import nn, softmax

random.seed(1)
torch.manual_seed(1)

DESKS = {
    "billing": "invoice refund charge card payment price receipt month".split(),
    "access": "password login account locked reset email code user".split(),
    "shipping": "parcel courier late address delivery box tracking door".split(),
    "hardware": "screen battery cable cracked noise button charger device".split(),
}
FILLER = "hello please my the it is not since yesterday can you help thanks still".split()


def write_ticket(desk):
    other = random.choice([d for d in DESKS if d != desk])
    words = random.choices(DESKS[desk], k=random.randint(2, 4))
    words += random.choices(DESKS[other], k=random.randint(0, 1))
    words += random.choices(FILLER, k=random.randint(4, 8))
    random.shuffle(words)
    return " ".join(words)


names = list(DESKS)
rows = [(write_ticket(d), names.index(d)) for d in names for _ in range(250)]
random.shuffle(rows)
train, test = rows[:800], rows[800:]

vocab = {}
for text, _ in train:
    for word in re.findall(r"\w+", text):
        vocab.setdefault(word, len(vocab))


def collate(batch):
    ids, offsets = [], []
    for text, _ in batch:
        offsets.append(len(ids))
        ids += [vocab[w] for w in re.findall(r"\w+", text) if w in vocab]
    return torch.tensor(ids), torch.tensor(offsets), torch.tensor([y for _, y in batch])


class Router(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(len(vocab), 16)
        self.desk = nn.Linear(16, len(names))

    def forward(self, ids, offsets):
        return self.desk(self.bag(ids, offsets))

    @torch.no_grad()
    def predict_proba(self, ids, offsets):
        return softmax(self(ids, offsets), dim=1)


router = Router()
optim = torch.optim.Adam(router.parameters(), lr=0.02)
loss_fn = nn.CrossEntropyLoss(label_smoothing=0.02)
for epoch in range(6):
    random.shuffle(train)
    for at in range(0, len(train), 40):
        ids, offsets, y = collate(train[at:at + 40])
        loss = loss_fn(router(ids, offsets), y)
        optim.zero_grad()
        loss.backward()
        optim.step()
    print(f"epoch {epoch} batch loss {loss.item():.3f}")

router.eval()
ids, offsets, y = collate(test)
proba = router.predict_proba(ids, offsets)
for (text, _), p in list(zip(test, proba))[:3]:
    print(f"  {text[:44]:44s} -> " + " ".join(f"{n}:{v:.2f}" for n, v in zip(names, p.tolist())))
print(f"accuracy {(proba.argmax(1) == y).float().mean():.3f}, mean confidence {proba.max(1).values.mean():.3f}")
