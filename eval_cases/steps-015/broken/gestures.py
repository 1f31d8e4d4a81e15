import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class GestureNet(nn.Module):
    def __init__(self, channels=6, classes=4):
        super().__init__()
        self.front = nn.Conv1d(channels, 16, 5)
        self.out = nn.Linear(24, classes)

    def forward(self, x):
        h = torch.relu(self.front(x)).amax(2)
        h = torch.relu(nn.Linear(16, 24)(h))
        return self.out(h)


def recordings(n, g):
    label = torch.randint(0, 4, (n,), generator=g)
    x = 0.6 * torch.randn(n, 6, 32, generator=g)
    start = torch.randint(0, 24, (n,), generator=g)
    for row in range(n):
        s = start[row]
        x[row, label[row], s:s + 8] += torch.hann_window(8) * 3
    return TensorDataset(x, label)


class Session:
    def __init__(self):
        torch.manual_seed(14)
        g = torch.Generator().manual_seed(2)
        self.train, self.test = recordings(800, g), recordings(240, g)
        self.net = GestureNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)

    def epoch(self):
        self.net.train()
        seen = 0.0
        for x, y in DataLoader(self.train, 40, shuffle=True):
            loss = nn.functional.cross_entropy(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            seen += loss.item() * len(x)
        return seen / len(self.train)

    @torch.no_grad()
    def accuracy(self):
        self.net.eval()
        x, y = self.test.tensors
        return (self.net(x).argmax(1) == y).float().mean().item()


session = Session()
for k in range(12):
    loss = session.epoch()
    if k % 4 == 3:
        print(f"epoch {k + 1} loss {loss:.4f}")
print(f"test accuracy {session.accuracy():.3f}")
