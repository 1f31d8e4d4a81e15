"""Classify three interleaved spirals with a small multilayer perceptron."""
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

CLASSES = 3
POINTS_PER_CLASS = 600
HIDDEN = 32
BATCH_SIZE = 64
EPOCHS = 20
LEARNING_RATE = 0.01
SEED = 7


def make_spirals():
    """Points on three arms that wind around the origin, with a little noise."""
    arms, labels = [], []
    for arm in range(CLASSES):
        radius = torch.linspace(0.1, 1.0, POINTS_PER_CLASS)
        angle = 4.0 * radius + 2 * math.pi * arm / CLASSES
        angle = angle + 0.15 * torch.randn(POINTS_PER_CLASS)
        arms.append(torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1))
        labels.append(torch.full((POINTS_PER_CLASS,), arm))
    return TensorDataset(torch.cat(arms), torch.cat(labels))


def make_loaders():
    data = make_spirals()
    test_size = len(data) // 5
    train_set, test_set = random_split(data, [len(data) - test_size, test_size])
    train_loader = DataLoader(train_set, batch_size=BATCH_SIZE, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=256)
    return train_loader, test_loader


def make_model():
    return nn.Sequential(
        nn.Linear(2, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, CLASSES),
    )


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    total = 0.0
    for points, labels in loader:
        loss = criterion(model(points), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    correct = 0
    for points, labels in loader:
        correct += (model(points).argmax(dim=1) == labels).sum().item()
    return correct / len(loader.dataset)


def main():
    torch.manual_seed(SEED)
    train_loader, test_loader = make_loaders()
    model = make_model()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for epoch in range(1, EPOCHS + 1):
        loss = train_epoch(model, train_loader, criterion, optimizer)
        print(f"epoch {epoch:2d}  loss {loss:.4f}")
    print(f"test accuracy {accuracy(model, test_loader):.1%}")


if __name__ == "__main__":
    main()
