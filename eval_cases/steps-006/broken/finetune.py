import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

WARMUP, EPOCHS = 3, 14


class Net(nn.Module):
    def __init__(self, n_classes=5):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(20, 40), nn.ReLU(), nn.Linear(40, 4), nn.ReLU())
        self.head = nn.Linear(4, n_classes)

    def forward(self, x):
        return self.head(self.body(x))


def sensors():
    g = torch.Generator().manual_seed(8)
    proto = torch.randn(5, 2, 20, generator=g)
    y = torch.randint(0, 5, (1600,), generator=g)
    which = torch.randint(0, 2, (1600,), generator=g)
    x = proto[y, which] + 0.7 * torch.randn(1600, 20, generator=g)
    return TensorDataset(x, y)


def evaluate(net, data):
    net.eval()
    with torch.no_grad():
        x, y = data[:]
        result = (net(x).argmax(1) == y).float().mean().item()
    net.train()
    return result


torch.manual_seed(31)
train, valid = random_split(sensors(), [1200, 400], torch.Generator().manual_seed(0))
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
loader = DataLoader(train, 60, shuffle=True)

for epoch in range(EPOCHS):
    # the head alone first, so that its large early gradients leave the body in peace
    if epoch < WARMUP:
        net.body.requires_grad_(False)
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    if epoch % 2:
        print(f"epoch {epoch + 1}: loss {loss.item():.3f} accuracy {evaluate(net, valid):.3f}")
print(f"final accuracy {evaluate(net, valid):.3f}")
