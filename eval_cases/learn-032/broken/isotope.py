import torch
from torch import nn

WIDTHS = [12, 24, 16, 3]
ACT = nn.Sigmoid


class Squeeze(nn.Module):
    """Twelve lines of a spectrum through a bottleneck of three."""

    def __init__(self):
        super().__init__()
        self.down, self.up = self.half(WIDTHS), self.half(WIDTHS[::-1])

    @staticmethod
    def half(widths):
        parts = []
        for a, b in zip(widths, widths[1:]):
            parts += [nn.Linear(a, b), ACT()]
        return nn.Sequential(*parts[:-1])

    def forward(self, x):
        return self.up(self.down(x))


def spectra(n, g):
    source = torch.randn(n, 3, generator=g)
    mix = torch.randn(3, 12, generator=torch.Generator().manual_seed(0))
    return source @ mix + 0.05 * torch.randn(n, 12, generator=g)


g = torch.Generator().manual_seed(1)
torch.manual_seed(1)
x, xt = spectra(900, g), spectra(300, g)
net = Squeeze()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for epoch in range(1, 31):
    for rows in torch.randperm(900).split(45):
        loss = nn.functional.mse_loss(net(x[rows]), x[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 6 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(xt), xt).item():.4f}, variance {xt.var().item():.3f}")
