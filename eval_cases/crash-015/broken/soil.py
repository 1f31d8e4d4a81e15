import numpy as np
import torch
from sklearn.datasets import make_classification
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x.astype(np.float32), y

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def layers(*sizes):
    for n_in, n_out in zip(sizes[:-2], sizes[1:-1]):
        yield from (nn.Linear(n_in, n_out), nn.BatchNorm1d(n_out), nn.ReLU())
    yield nn.Linear(sizes[-2], sizes[-1])


torch.manual_seed(77)
x, y = make_classification(
    n_samples=901, n_features=14, n_informative=8, n_redundant=2, n_classes=4,
    n_clusters_per_class=1, class_sep=1.6, random_state=77,
)
cut = 641
train_loader = DataLoader(Samples(x[:cut], y[:cut]), batch_size=32, shuffle=True)
test_loader = DataLoader(Samples(x[cut:], y[cut:]), batch_size=130)

net = nn.Sequential(*layers(14, 48, 24, 4))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(1, 9):
    net.train()
    for step, (xb, yb) in enumerate(train_loader, start=1):
        loss = loss_fn(net(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(f"epoch {epoch} step {step} loss {loss.item():.3f}")

net.eval()
with torch.no_grad():
    hits = sum((net(xb).argmax(1) == yb).sum().item() for xb, yb in test_loader)
print(f"test accuracy {hits / len(test_loader.dataset):.3f}")
