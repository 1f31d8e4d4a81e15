import argparse

import torch
import torch.nn.functional as Fn
from sklearn.datasets import load_digits
from torch.optim import AdamW
from torch.utils.data import DataLoader, TensorDataset, random_split


def get_loaders(batch):
    d = load_digits()
    images = torch.from_numpy(d.images).float().unsqueeze(1) / 16.0 - 0.3
    data = TensorDataset(images, torch.from_numpy(d.target).long())
    train, held = random_split(data, [1400, len(data) - 1400], generator=torch.Generator().manual_seed(5))
    return DataLoader(train, batch, shuffle=True), DataLoader(held, 200)


class SmallConv(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = torch.nn.Conv2d(1, 12, 3, padding=1)
        self.c2 = torch.nn.Conv2d(12, 24, 3, padding=1)
        self.out = torch.nn.Linear(24 * 4, 10)

    def forward(self, x):
        x = Fn.max_pool2d(Fn.relu(self.c1(x)), 2)
        x = Fn.max_pool2d(Fn.relu(self.c2(x)), 2)
        return self.out(x.flatten(1))


def accuracy(model, loader):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for xb, yb in loader:
            hits += (model(xb).argmax(1) == yb).sum().item()
            total += len(yb)
    model.train()
    return hits / total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--micro", type=int, default=20)
    ap.add_argument("--k", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--lr", type=float, default=4e-3)
    a = ap.parse_args()

    torch.manual_seed(0)
    train, held = get_loaders(a.micro)
    model = SmallConv()
    optimizer = AdamW(model.parameters(), lr=a.lr)
    updates = 0
    for ep in range(a.epochs):
        tot = 0.0
        optimizer.zero_grad()
        for i, (xb, yb) in enumerate(train, 1):
            loss = Fn.cross_entropy(model(xb), yb)
            (loss / a.k).backward()
            tot += loss.item()
            if i % a.k == 0 or i == len(train):
                optimizer.step()
                optimizer.zero_grad()
                updates += 1
        if ep % 3 == 2:
            print(f"epoch {ep + 1}: loss {tot / len(train):.3f}, updates so far {updates}")
    print(f"held-out accuracy {accuracy(model, held):.3f}")


if __name__ == "__main__":
    main()
