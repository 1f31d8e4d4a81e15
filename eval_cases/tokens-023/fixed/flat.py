import torch
from torch import nn


class Flat(nn.Module):
    def __init__(self, side=10, classes=4):
        super().__init__()
        self.side = side
        self.fc1 = nn.Linear(2 * side * side, 40)
        self.fc2 = nn.Linear(40, classes)

    def forward(self, x):
        x = x.view(x.size(0), -1)
        return self.fc2(torch.relu(self.fc1(x)))


def glyphs(n):
    """Two channels; a blob in one of the four corners of the second."""
    y = torch.randint(0, 4, (n,))
    x = 0.8 * torch.randn(n, 2, 10, 10)
    for k, c in enumerate(y.tolist()):
        r, s = 5 * (c // 2), 5 * (c % 2)
        x[k, 1, r:r + 5, s:s + 5] += 0.6
    return x, y


torch.manual_seed(57)
x, y = glyphs(1200)
xt, yt = glyphs(300)
net = Flat()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.05)
for epoch in range(1, 7):
    for rows in torch.randperm(1200).split(40):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
