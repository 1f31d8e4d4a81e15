import csv
from pathlib import Path

import torch
from torch import nn

HERE = Path(__file__).parent


def column_block(name):
    with open(HERE / name) as fh:
        return list(csv.reader(fh))[1:]


torch.manual_seed(4)
spectra = column_block("spectra.csv")
grades = column_block("grades.csv")
x = torch.tensor([[float(v) for v in row[1:]] for row in spectra])
y = torch.tensor(["ABC".index(row[1]) for row in grades])

perm = torch.randperm(len(x))
train, test = perm[:500], perm[500:]
net = nn.Sequential(nn.Linear(6, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 3))
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
for epoch in range(1, 26):
    for rows in train[torch.randperm(500)].split(50):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {(net(x[test]).argmax(1) == y[test]).float().mean().item():.3f}")
