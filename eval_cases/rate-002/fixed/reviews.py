import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

EPOCHS = 8
LR = 10.0
BATCH_SIZE = 64
VOCAB = 400

rng = np.random.default_rng(12)
torch.manual_seed(12)

mood = rng.normal(0, 1, VOCAB)          # how positive a word is
popularity = 1 / np.arange(2, VOCAB + 2)
rng.shuffle(popularity)


def review():
    positive = int(rng.random() < 0.5)
    p = popularity * np.exp((0.9 if positive else -0.9) * mood)
    return rng.choice(VOCAB, size=rng.integers(20, 60), p=p / p.sum()), positive


reviews = [review() for _ in range(2000)]
train, valid = reviews[:1600], reviews[1600:]


def collate(rows):
    texts = [torch.from_numpy(words) for words, _ in rows]
    offsets = torch.tensor([0] + [len(t) for t in texts[:-1]]).cumsum(0)
    return torch.cat(texts), offsets, torch.tensor([label for _, label in rows])


class TextModel(nn.Module):
    def __init__(self, vocab_size, dim, n_class):
        super().__init__()
        self.embedding = nn.EmbeddingBag(vocab_size, dim, sparse=True)
        self.fc = nn.Linear(dim, n_class)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        nn.init.uniform_(self.fc.weight, -0.1, 0.1)
        nn.init.zeros_(self.fc.bias)

    def forward(self, text, offsets):
        return self.fc(self.embedding(text, offsets))


def accuracy(model):
    model.eval()
    with torch.no_grad():
        text, offsets, label = collate(valid)
        return (model(text, offsets).argmax(1) == label).float().mean().item()


model = TextModel(VOCAB, 32, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=LR)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.7)
loader = DataLoader(train, batch_size=BATCH_SIZE, shuffle=True, collate_fn=collate)

for epoch in range(1, EPOCHS + 1):
    model.train()
    total = 0.0
    for text, offsets, label in loader:
        optimizer.zero_grad()
        loss = criterion(model(text, offsets), label)
        loss.backward()
        optimizer.step()
        total += loss.item()
    scheduler.step()
    print(f"epoch {epoch}  loss {total / len(loader):.4f}  valid accuracy {accuracy(model):.3f}")
