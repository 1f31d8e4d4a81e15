import torch
from torch import nn


def block(cin, cout):
    return [nn.Conv2d(cin, cout, 3, 2, 1), nn.BatchNorm2d(cout, momentum=0.2), nn.LeakyReLU(0.2, inplace=True)]


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(*block(1, 8), *block(8, 16), *block(16, 32))
        self.out = nn.Linear(32 * 4, 3)
        self.apply(self.init)

    @staticmethod
    def init(m):
        if isinstance(m, (nn.Conv2d, nn.Linear)):
            nn.init.normal_(m.weight, 0.0, 0.02)
            nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.out(self.features(x).flatten(1))


def patches(n):
    kind = torch.randint(0, 3, (n,))
    i = torch.arange(16.0)
    phase = torch.rand(n, 1, 1) * 6.2832
    wave = {0: i[:, None] + 0 * i, 1: i + 0 * i[:, None], 2: i + i[:, None]}
    grid = torch.stack([wave[k] for k in range(3)])[kind]
    return (torch.sin(1.3 * grid + phase) * 0.2 + 0.3 * torch.randn(n, 16, 16))[:, None], kind


torch.manual_seed(30)
x, y = patches(640)
xt, yt = patches(200)
net = Critic()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for epoch in range(1, 7):
    net.train()
    for idx in torch.randperm(len(x)).split(32):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[idx]), y[idx])
        loss.backward()
        opt.step()
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
net.eval()
with torch.no_grad():
    print(f"test accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
