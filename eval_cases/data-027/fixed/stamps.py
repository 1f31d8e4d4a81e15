import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class RandomErase:
    def __init__(self, share, shift):
        self.share, self.shift = share, shift

    def __call__(self, image):
        keep = (torch.rand(8, 8) > self.share).float()
        moves = torch.randint(-self.shift, self.shift + 1, (2,)).tolist()
        return torch.roll(image * keep, moves, (0, 1))


class Stamps(Dataset):
    def __init__(self, images, names, transform=None):
        self.images, self.names, self.transform = images, names, transform

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        image = self.images[i]
        return (self.transform(image) if self.transform else image), self.names[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 10))

    def forward(self, x):
        return self.body(x)


def share_right(net, data):
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).sum().item() for x, y in DataLoader(data, 200)) / len(data)


torch.manual_seed(5)
bunch = load_digits()
images, names = torch.tensor(bunch.images).float() / 16, torch.tensor(bunch.target)
order = torch.randperm(len(names))
fit, check = order[:900], order[900:1400]
augment = RandomErase(0.35, 1)
train, valid = Stamps(images[fit], names[fit], augment), Stamps(images[check], names[check])
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
for epoch in range(12):
    for x, y in DataLoader(train, 45, shuffle=True):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1} clean training pictures {share_right(net, Stamps(images[fit], names[fit])):.3f} validation {share_right(net, valid):.3f}")
