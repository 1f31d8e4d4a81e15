import torch
from torch.nn import BatchNorm1d, BatchNorm2d, Conv2d, CrossEntropyLoss, Flatten, Linear, MaxPool2d, Module, ReLU, Sequential
from torch.utils.data import DataLoader, TensorDataset

from dataset import load


def conv(i, o):
    return Sequential(Conv2d(i, o, 3, padding=1, bias=False), BatchNorm2d(o), ReLU(), MaxPool2d(2))


class Net(Module):
    def __init__(self):
        super().__init__()
        self.body = Sequential(conv(1, 10), conv(10, 20), Flatten(), Linear(80, 40, bias=False), BatchNorm1d(40), ReLU())
        self.top = Linear(40, 10)

    def forward(self, x):
        return self.top(self.body(x))


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    running, n = 0.0, 0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
        running += loss.item() * labels.numel()
        n += labels.numel()
    return running / n


@torch.no_grad()
def test(model, loader):
    good, n = 0, 0
    for images, labels in loader:
        good += int((model(images).argmax(1) == labels).sum())
        n += labels.numel()
    return good / n


if __name__ == "__main__":
    torch.manual_seed(13)
    train_loader = DataLoader(TensorDataset(*load("train")), batch_size=50, shuffle=True)
    test_loader = DataLoader(TensorDataset(*load("test")), batch_size=25)
    model = Net()
    criterion = CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(1, 9):
        loss = train_one_epoch(model, train_loader, criterion, optimizer)
        print(f"Epoch {epoch}: training loss {loss:.4f}, test accuracy {test(model, test_loader):.3f}")
    print(f"Final test accuracy {test(model, test_loader):.3f}")
