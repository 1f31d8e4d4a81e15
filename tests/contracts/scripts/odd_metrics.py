"""Comparisons over the wrong axis and of a column with a row; weights restored from themselves."""

import torch
from torch import nn

torch.manual_seed(3)
x = torch.randn(40, 4)
y = x.argmax(1)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
kept = model.state_dict()
for _ in range(6):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
model.load_state_dict(kept)
with torch.no_grad():
    out = model(x[:4])
    best = out.argmax(dim=0)
    print("equal", int((best == y[:4]).sum()))
    column = out.argmax(dim=1, keepdim=True)
    print("equal", int((column == y[:4]).sum()))
print("values", float(model.weight.sum()))
