from pathlib import Path

import pandas as pd
import torch
from torch import nn

frame = pd.read_csv(Path(__file__).with_name("forces.csv"))
x = torch.tensor(frame.iloc[:, :5].to_numpy("float32"))
slip = torch.tensor(frame["slip"].to_numpy("float32"))
torch.manual_seed(7)


class Grip(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.ModuleList([nn.Linear(5, 24), nn.Linear(24, 24), nn.Linear(24, 24)])
        self.out = nn.Linear(24, 1)

    def forward(self, h):
        for layer in self.inner:
            h = torch.tanh(layer(h))
        return self.out(h)[:, 0]


net = Grip()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for epoch in range(1, 25):
    for rows in torch.randperm(600).split(30):
        loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]), slip[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 6 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {((net(x[600:]) > 0).float() == slip[600:]).float().mean().item():.3f}")
