import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Gestures(Dataset):
    """Ten-point hand paths; in training with a little jitter."""

    def __init__(self, n, seed, jitter=0.0):
        g = torch.Generator().manual_seed(seed)
        self.kind = torch.randint(0, 4, (n,), generator=g)
        base = torch.randn(4, 10, generator=torch.Generator().manual_seed(3))
        self.path = base[self.kind] + 0.7 * torch.randn(n, 10, generator=g)
        self.jitter = jitter

    def __len__(self):
        return len(self.kind)

    def __getitem__(self, i):
        path = self.path[i]
        if self.jitter:
            path += self.jitter * torch.randn(10)
        return path, self.kind[i]


torch.manual_seed(0)
train = DataLoader(Gestures(400, 1, jitter=1.0), batch_size=20, shuffle=True)
test = Gestures(400, 2)
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, 26):
    total = 0
    for path, kind in train:
        loss = nn.functional.cross_entropy(net(path), kind)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() / len(train)
    if epoch % 5 == 1 or epoch == 25:
        with torch.no_grad():
            right = (net(test.path).argmax(1) == test.kind).float().mean().item()
        print(f"epoch {epoch} loss {total:.3f} test accuracy {right:.3f}")
