import csv
from pathlib import Path

import torch
from torch import nn


class VoteTable(torch.utils.data.Dataset):
    def __init__(self, path, rows):
        with open(path) as fh:
            self.rows = list(csv.DictReader(fh))[rows]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        return torch.tensor([float(row[k]) for k in "abcdef"]), torch.tensor([float(row["yes"])])


torch.manual_seed(2)
train = torch.utils.data.DataLoader(VoteTable(Path(__file__).with_name("votes.csv"), slice(0, 600)), 60, shuffle=True)
test = torch.utils.data.DataLoader(VoteTable(Path(__file__).with_name("votes.csv"), slice(600, 800)), 200)
net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
bce = nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, 21):
    for x, yes in train:
        opt.zero_grad()
        loss = bce(net(x), yes)
        loss.backward()
        opt.step()
    if epoch % 4 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
x, yes = next(iter(test))
with torch.no_grad():
    print(f"test accuracy {((net(x) > 0) == (yes > 0)).float().mean().item():.3f} test loss {bce(net(x), yes).item():.3f}")
