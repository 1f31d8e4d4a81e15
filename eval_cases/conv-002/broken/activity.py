"""Walking, running, cycling or stairs from the three axes of a wrist band."""
import numpy as np
import torch
from torch import nn

from settings import Settings


def load(s):
    with np.load(s.recordings) as file:
        x = torch.from_numpy(file["signals"].astype(np.float32))
        y = torch.from_numpy(file["activity"])
    return x[:120], y[:120], x[120:], y[120:]


def build(s):
    return nn.Sequential(
        nn.Conv1d(s.axes, s.filters, kernel_size=7, padding=3),
        nn.ReLU(),
        nn.MaxPool1d(2),
        nn.Conv1d(s.filters, 2 * s.filters, kernel_size=5, padding=2),
        nn.ReLU(),
        nn.AdaptiveAvgPool1d(1),
        nn.Flatten(),
        nn.Linear(2 * s.filters, s.activities),
    )


def fit(net, x, y, s):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=s.lr)
    for epoch in range(1, s.epochs + 1):
        for k in torch.randperm(len(x)).split(s.batch):
            loss = criterion(net(x[k]), y[k])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 6 == 0:
            print("epoch", epoch, "loss", f"{loss.item():.4f}")


def main():
    s = Settings()
    torch.manual_seed(s.seed)
    x, y, x_test, y_test = load(s)
    net = build(s)
    fit(net, x, y, s)
    with torch.no_grad():
        print("test accuracy", f"{(net(x_test).argmax(1) == y_test).float().mean():.3f}")


if __name__ == "__main__":
    main()
