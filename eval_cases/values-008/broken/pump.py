import torch
from torch import nn


class Readings:
    """Pressure in Pa, flow in l/h, motor temperature in K, vibration in mm/s."""

    centre = torch.tensor([101_325.0, 850.0, 320.0, 2.5])
    spread = torch.tensor([1_800.0, 120.0, 9.0, 0.7])

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        z = torch.randn(n, 4, generator=g)
        self.x = self.centre + z * self.spread
        self.y = (z[:, 0] - z[:, 1] + z[:, 2] * z[:, 3] + 0.2 * torch.randn(n, generator=g) > 0).long()


def main():
    torch.manual_seed(22)
    train, test = Readings(1200, 1), Readings(400, 2)
    x, xt = train.x, test.x
    net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(1, 16):
        for rows in torch.randperm(len(x)).split(60):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(x[rows]), train.y[rows])
            loss.backward()
            opt.step()
        if epoch % 5 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}")
    with torch.no_grad():
        print(f"test accuracy {(net(xt).argmax(1) == test.y).float().mean().item():.3f}")


main()
