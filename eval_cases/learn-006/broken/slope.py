import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def hills(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 4, generator=g)
    return x, 10 + 8 * torch.sin(4 * x[:, :1]) + 5 * x[:, 1:2] * x[:, 2:3]


class Slope(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(4, width), nn.Linear(width, width), nn.Linear(width, 1)

    def forward(self, x):
        return self.c(self.b(self.a(x).relu()).relu())


class Course:
    def __init__(self, net, rate):
        self.net, self.opt = net, torch.optim.SGD(net.parameters(), lr=rate, momentum=0.9)

    def run(self, data, epochs):
        for epoch in range(1, epochs + 1):
            for x, y in DataLoader(data, 32, shuffle=True):
                loss = nn.functional.mse_loss(self.net(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            if epoch % 5 == 0:
                print(f"epoch {epoch} loss {loss.item():.3f}")


torch.manual_seed(8)
net = Slope()
Course(net, rate=0.05).run(TensorDataset(*hills(640, 1)), 20)
x, y = hills(300, 2)
with torch.no_grad():
    out = net(x)
print(f"answers from {out.min().item():.2f} to {out.max().item():.2f}, test mse {nn.functional.mse_loss(out, y).item():.3f}")
