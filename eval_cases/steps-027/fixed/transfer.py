import pathlib

import torch
from torch import nn

HERE = pathlib.Path(__file__).resolve().parent


class Transfer(nn.Module):
    """A body that was trained on six shapes elsewhere, a new head for three groups of them."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.BatchNorm1d(20), nn.Linear(20, 32), nn.BatchNorm1d(32), nn.ReLU())
        self.body.load_state_dict(torch.load(HERE / "body.pt", weights_only=True))
        self.body.requires_grad_(False)
        self.head = nn.Linear(32, 3)

    def train(self, mode=True):
        super().train(mode)
        self.body.eval()
        return self

    def forward(self, x):
        return self.head(self.body(x))


def shapes(n):
    proto = torch.randn(6, 20, generator=torch.Generator().manual_seed(1))
    y = torch.randint(0, 6, (n,))
    return 3 + 2 * (proto[y] + 0.6 * torch.randn(n, 20)), y % 3


torch.manual_seed(2)
x, y = shapes(400)
xt, yt = shapes(400)
net = Transfer()
opt = torch.optim.Adam(net.head.parameters(), lr=0.02)
for epoch in range(1, 11):
    net.train()
    for idx in torch.randperm(400).split(20):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[idx]), y[idx])
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
net.eval()
with torch.no_grad():
    print(f"accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
