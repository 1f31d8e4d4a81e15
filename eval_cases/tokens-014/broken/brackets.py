import tomllib
from pathlib import Path

import torch
from torch import nn


class Depth(nn.Module):
    """Reports by how much the opened outnumber the closed brackets."""

    def __init__(self, hidden, carry):
        super().__init__()
        self.symbol = nn.Embedding(3, 8)
        self.lstm = nn.LSTM(8, hidden, batch_first=True)
        self.depth = nn.Linear(hidden, 1)
        self.carry, self.state = carry, None

    def forward(self, ids):
        out, state = self.lstm(self.symbol(ids), self.state)
        if self.carry:
            self.state = tuple(s.detach() for s in state)
        return self.depth(out[:, -1]).squeeze(1)

    def clear(self):
        self.state = None


def expressions(n, length=14):
    ids = torch.randint(0, 3, (n, length))
    step = (ids == 1).float() - (ids == 2).float()
    return ids, step.sum(1)


conf = tomllib.loads(Path(__file__).with_name("depth.toml").read_text())
torch.manual_seed(conf["seed"])
x, y = expressions(1024)
xt, yt = expressions(64)
model = Depth(**conf["model"])
opt = torch.optim.Adam(model.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    total = 0.0
    for rows in torch.randperm(len(x)).split(64):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x[rows]), y[rows])
        loss.backward()
        opt.step()
        total += loss.item() / 16
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {total:.4f}")
model.clear()
with torch.no_grad():
    print(f"mean error {(model(xt) - yt).abs().mean().item():.4f} brackets")
