import torch
from torch import nn


class Accent(nn.Module):
    """Everything is [time, batch, feature]."""

    def __init__(self, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(2, hidden)
        self.out = nn.Linear(hidden, 3)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h.mean(0))


def contours(n, steps=30):
    kind = torch.randint(0, 3, (n,))
    t = torch.linspace(0, 1, steps)[:, None]
    level = torch.stack([t, 1 - t, 4 * t * (1 - t)], 2).squeeze(1)[:, kind]
    pitch = level + 0.3 * torch.randn(steps, n)
    return torch.stack([pitch, 0.3 * torch.randn(steps, n)], 2), kind


torch.manual_seed(22)
x, y = contours(900)
xt, yt = contours(300)
net = Accent()
opt = torch.optim.Adam(net.parameters(), lr=6e-3)
for epoch in range(1, 11):
    for cols in torch.randperm(900).split(45):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[:, cols]), y[cols])
        loss.backward()
        opt.step()
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
