import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(20)


def scans(n):
    y = torch.randint(0, 2, (n,))
    x = 5 + 2 * torch.randn(n, 1, 10, 10)
    x[:, :, 3:7, 3:7] += 1.5 * (2 * y - 1).view(-1, 1, 1, 1)
    return TensorDataset(x, y)


train, test = scans(800), scans(250)
net = nn.Sequential(
    nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8, momentum=0.3), nn.ReLU(),
    nn.Conv2d(8, 8, 3, stride=2), nn.BatchNorm2d(8, momentum=0.3), nn.ReLU(),
    nn.Flatten(), nn.Linear(72, 2),
)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
for epoch in range(1, 8):
    net.train()
    for x, y in DataLoader(train, 40, shuffle=True):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        x, y = test.tensors
        print(f"epoch {epoch} test accuracy {(net(x).argmax(1) == y).float().mean().item():.3f}")
