import torch
from torch import nn


class Range(nn.Module):
    levels = (0.1, 0.5, 0.9)

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU())
        self.minutes = nn.Linear(32, 1)
        self.register_buffer("q", torch.tensor(self.levels))

    def forward(self, x):
        return self.minutes(self.body(x))

    def pinball(self, x, y):
        miss = y[:, None] - self(x)
        return torch.maximum(self.q * miss, (self.q - 1) * miss).mean()


def visits(n, g):
    """Hour, staff and queue, each about -1 to 1; the wait in units of ten minutes."""
    x = 2 * torch.rand(n, 3, generator=g) - 1
    wait = 2 + x[:, 2] - 0.8 * x[:, 1] + torch.sin(3 * x[:, 0])
    return x, wait + (0.6 + 0.5 * x[:, 2]) * torch.randn(n, generator=g)


def main():
    torch.manual_seed(40)
    g = torch.Generator().manual_seed(40)
    x, y = visits(1600, g)
    xt, yt = visits(600, g)
    net = Range()
    opt = torch.optim.Adam(net.parameters(), lr=0.006)
    for epoch in range(1, 17):
        for rows in torch.randperm(len(x)).split(50):
            opt.zero_grad()
            loss = net.pinball(x[rows], y[rows])
            loss.backward()
            opt.step()
        if epoch % 4 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}")
    with torch.no_grad():
        band = net(xt)
    inside = (yt >= band[:, 0]) & (yt <= band[:, -1])
    print(f"share of waits inside the range {inside.float().mean().item():.3f}")


main()
