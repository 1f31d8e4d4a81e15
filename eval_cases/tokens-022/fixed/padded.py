import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def phrases(n, g):
    out = []
    for _ in range(n):
        length = int(torch.randint(4, 15, (1,), generator=g))
        ids = torch.randint(1, 30, (length,), generator=g)
        before = torch.cat([ids[:1], ids[:-1]])
        out.append((ids, (ids + before) % 4))
    return out


def collate(items):
    ids, tags = zip(*items)
    return pad_sequence(ids, True, 0), pad_sequence(tags, True, -100)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 24, padding_idx=0)
        self.conv = nn.Conv1d(24, 96, 2)
        self.out = nn.Linear(96, 4)

    def forward(self, ids):
        x = self.embed(ids).transpose(1, 2)
        x = torch.cat([x[:, :, :1], x], 2)
        return self.out(torch.relu(self.conv(x)).transpose(1, 2))


torch.manual_seed(48)
g = torch.Generator().manual_seed(48)
train, test = phrases(1200, g), phrases(300, g)
model = Model()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
ce = nn.CrossEntropyLoss()
for epoch in range(1, 13):
    for ids, tags in DataLoader(train, 40, shuffle=True, collate_fn=collate):
        opt.zero_grad()
        loss = ce(model(ids).flatten(0, 1), tags.flatten())
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
ids, tags = collate(test)
with torch.no_grad():
    hit = (model(ids).argmax(2) == tags)[tags != -100]
print(f"tags right {hit.float().mean().item():.3f}")
