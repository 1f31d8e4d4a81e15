import torch
from torch import nn
from torch.utils.data import DataLoader

PAD, LONGEST = 0, 16


def sentences(n, g):
    out = []
    for _ in range(n):
        length = int(torch.randint(4, 14, (1,), generator=g))
        words = torch.randint(41, 120, (length,), generator=g)
        mood = int(torch.randint(0, 2, (1,), generator=g))
        spot = torch.randint(0, length, (2,), generator=g)
        words[spot] = torch.randint(1, 21, (2,), generator=g) + 20 * mood
        if torch.rand(1, generator=g) < 0.04:
            mood = 1 - mood  # annotators disagree now and then
        out.append((words, mood))
    return out


def collate(items):
    ids = torch.full((len(items), LONGEST), PAD)
    for row, (words, _) in zip(ids, items):
        row[:len(words)] = words
    return ids, torch.tensor([m for _, m in items])


class Classifier(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.embed = nn.Embedding(120, d)
        self.ask = nn.Parameter(0.1 * torch.randn(1, 1, d))
        self.attention = nn.MultiheadAttention(d, 2, batch_first=True)
        self.out = nn.Linear(d, 2)

    def forward(self, ids):
        x = self.embed(ids)
        h, _ = self.attention(self.ask.expand(len(x), 1, -1), x, x, key_padding_mask=ids == PAD)
        return self.out(h.squeeze(1))


torch.manual_seed(5)
g = torch.Generator().manual_seed(5)
train, test = sentences(900, g), sentences(250, g)
model = Classifier()
opt = torch.optim.Adam(model.parameters(), lr=6e-3)
for epoch in range(1, 9):
    for ids, mood in DataLoader(train, 45, shuffle=True, collate_fn=collate):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(ids), mood)
        loss.backward()
        opt.step()
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
ids, mood = collate(test)
with torch.no_grad():
    print(f"test accuracy {(model(ids).argmax(1) == mood).float().mean().item():.3f}")
