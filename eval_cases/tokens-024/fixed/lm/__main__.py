import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import torch
from lm_data import NextWord
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(66)
train, test = NextWord(500, 1), NextWord(120, 2)


class Model(nn.Module):
    def __init__(self, words=10, d=32):
        super().__init__()
        self.embed = nn.Embedding(words, d)
        self.rnn = nn.GRU(d, 48, batch_first=True)
        self.out = nn.Linear(48, words)

    def forward(self, ids):
        return self.out(self.rnn(self.embed(ids))[0])


model = Model()
opt = torch.optim.Adam(model.parameters(), lr=6e-3)
for epoch in range(1, 13):
    for x, y in DataLoader(train, 25, shuffle=True):
        opt.zero_grad()
        logits = model(x)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    x, y = test[:]
    print(f"next word right {(model(x).argmax(2) == y)[:, 3:].float().mean().item():.3f}")
