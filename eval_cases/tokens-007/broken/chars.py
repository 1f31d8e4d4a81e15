import json
import pathlib

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

HERE = pathlib.Path(__file__).resolve().parent
conf = json.loads((HERE / "chars.json").read_text())


class Windows(Dataset):
    def __init__(self, ids, length, ahead):
        self.ids, self.length, self.ahead = ids, length, ahead

    def __len__(self):
        return (len(self.ids) - self.length - 1) // 4

    def __getitem__(self, k):
        s = 4 * k
        return self.ids[s:s + self.length], self.ids[s + self.ahead:s + self.ahead + self.length]


class Writer(nn.Module):
    def __init__(self, symbols, dim=32):
        super().__init__()
        self.embed = nn.Embedding(symbols, dim)
        self.rnn = nn.GRU(dim, 48, batch_first=True)
        self.out = nn.Linear(48, symbols)

    def forward(self, ids, state=None):
        h, state = self.rnn(self.embed(ids), state)
        return self.out(h), state


text = (HERE / "farm.txt").read_text()
symbols = sorted(set(text))
ids = torch.tensor([symbols.index(c) for c in text])
torch.manual_seed(conf["seed"])
model = Writer(len(symbols))
opt = torch.optim.Adam(model.parameters(), lr=conf["lr"])
loader = DataLoader(Windows(ids, **conf["window"]), conf["batch"], shuffle=True)
for epoch in range(1, conf["epochs"] + 1):
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x)[0].flatten(0, 1), y.flatten())
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")

with torch.no_grad():
    out, state = model(ids[None, :24])
    written = []
    for _ in range(40):
        written.append(out[0, -1].argmax().item())
        out, state = model(torch.tensor([[written[-1]]]), state)
print("writes:", repr("".join(symbols[k] for k in written)))
known, words = set(text.split()), "".join(symbols[k] for k in written).split()[1:-1]
print(f"share of written words that are words {sum(w in known for w in words) / max(len(words), 1):.3f}")
