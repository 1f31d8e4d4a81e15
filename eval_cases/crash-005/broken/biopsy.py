import argparse
from dataclasses import dataclass

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
from torch import nn


@dataclass
class Split:
    x: torch.Tensor
    y: torch.Tensor

    def batches(self, size, generator):
        for rows in torch.randperm(len(self.y), generator=generator).split(size):
            yield self.x[rows], self.y[rows]


def splits(seed):
    bunch = load_breast_cancer()
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(bunch.target), generator=generator).numpy()
    train, test = order[:420], order[420:]
    scaler = StandardScaler().fit(bunch.data[train])
    return [
        Split(torch.tensor(scaler.transform(bunch.data[k]), dtype=torch.float32),
              torch.tensor(bunch.target[k], dtype=torch.float32))
        for k in (train, test)
    ]


class Screen(nn.Module):
    def __init__(self, n_features, width, dropout):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(n_features, width), nn.Linear(width, width)])
        self.drop = nn.Dropout(dropout)
        self.score = nn.Linear(width, 1)

    def forward(self, x):
        for layer in self.layers:
            x = self.drop(torch.relu(layer(x)))
        return self.score(x)


def run(args):
    torch.manual_seed(args.seed)
    train, test = splits(args.seed)
    model = Screen(train.x.shape[1], args.width, 0.2)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    generator = torch.Generator().manual_seed(args.seed)
    for epoch in range(args.epochs):
        model.train()
        for x, y in train.batches(30, generator):
            score = model(x)
            loss = criterion(score, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"{epoch:2d}  {loss.item():.4f}")
    model.eval()
    with torch.no_grad():
        benign = model(test.x).flatten() > 0
    print(f"test accuracy {(benign == test.y.bool()).float().mean():.3f}")


parser = argparse.ArgumentParser(description="benign or malignant")
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--width", type=int, default=32)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--seed", type=int, default=11)
run(parser.parse_args())
