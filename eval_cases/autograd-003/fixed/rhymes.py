"""A character model of a counting rhyme, trained on consecutive chunks."""
import torch
import torch.nn as nn

RHYME = (
    "one two buckle my shoe, three four knock at the door, "
    "five six pick up sticks, seven eight lay them straight, "
    "nine ten a big fat hen. "
)


class CharModel(nn.Module):
    def __init__(self, n_chars, dim=16, hidden=48):
        super().__init__()
        self.embed = nn.Embedding(n_chars, dim)
        self.gru = nn.GRU(dim, hidden, batch_first=True)
        self.decode = nn.Linear(hidden, n_chars)

    def forward(self, ids, h=None):
        out, h = self.gru(self.embed(ids), h)
        return self.decode(out), h


def chunks(ids, rows, width):
    """Consecutive pieces of `rows` parallel streams, with the next characters as targets."""
    streams = ids[: len(ids) // rows * rows].view(rows, -1)
    for start in range(0, streams.size(1) - width - 1, width):
        yield streams[:, start:start + width], streams[:, start + 1:start + width + 1]


torch.manual_seed(8)
text = RHYME * 9
chars = sorted(set(text))
ids = torch.tensor([chars.index(c) for c in text])
model = CharModel(len(chars))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()

for epoch in range(6):
    h = None
    losses = []
    for x, y in chunks(ids, rows=4, width=20):
        logits, h = model(x, h if h is None else h.detach())
        loss = criterion(logits.transpose(1, 2), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch} loss {sum(losses) / len(losses):.3f}")

with torch.no_grad():
    said, h = "one ", None
    x = torch.tensor([[chars.index(c) for c in said]])
    for _ in range(30):
        logits, h = model(x, h)
        x = logits[:, -1:].argmax(-1)
        said += chars[x.item()]
print(said)
print(f"bits per character {sum(losses) / len(losses) / 0.693:.2f}")
