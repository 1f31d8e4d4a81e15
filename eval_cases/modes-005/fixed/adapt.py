import copy

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as fn


def is_norm(module):
    return isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(
            nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(),
            nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU(),
        )
        self.g = nn.Linear(32, 10)

    def forward(self, x):
        return self.g(self.f(x))


def loop(model, x, y, epochs, batch, lr, keep_norm_statistics=False):
    opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=lr)
    for epoch in range(epochs):
        model.train()
        if keep_norm_statistics:
            # batches of 4 are too small for statistics of their own
            for m in filter(is_norm, model.modules()):
                m.eval()
        total = 0.0
        for rows in torch.randperm(len(x)).split(batch):
            opt.zero_grad()
            loss = fn.cross_entropy(model(x[rows]), y[rows])
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        if (epoch + 1) % 5 == 0:
            print(f"  epoch {epoch + 1}: loss {total / len(x):.4f}")


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


torch.manual_seed(50)
bunch = load_digits()
x = torch.tensor(bunch.images, dtype=torch.float32) / 8 - 0.6
y = torch.tensor(bunch.target)
order = torch.randperm(len(x))
x, y = x[order], y[order]
mirrored = x.flip(2)
x, mirrored = x.flatten(1), mirrored.flatten(1)

print("upright digits")
source = Classifier()
loop(source, x[:900], y[:900], epochs=10, batch=60, lr=3e-3)
before = accuracy(source, mirrored[1300:], y[1300:])

print("mirrored digits")
model = copy.deepcopy(source)
loop(model, mirrored[900:1300], y[900:1300], epochs=10, batch=4, lr=1e-3, keep_norm_statistics=True)
print(f"mirrored test accuracy {before:.3f} before, {accuracy(model, mirrored[1300:], y[1300:]):.3f} after adapting")
