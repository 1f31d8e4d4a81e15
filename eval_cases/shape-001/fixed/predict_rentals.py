import json
import os
import warnings

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))


def read(cfg):
    df = pd.read_csv(os.path.join(HERE, cfg["table"]))
    df = df.sample(frac=1.0, random_state=cfg["seed"]).reset_index(drop=True)
    df = df.astype("float32")
    n_train = int(len(df) * 0.75)
    mean, std = df[:n_train].mean(), df[:n_train].std()
    df = (df - mean) / std
    X = torch.tensor(df[cfg["features"]].values)
    y = torch.tensor(df[cfg["target"]].values)
    return TensorDataset(X[:n_train], y[:n_train]), TensorDataset(X[n_train:], y[n_train:])


def build(n_in, hidden):
    layers = []
    for size in hidden:
        layers += [nn.Linear(n_in, size), nn.ReLU()]
        n_in = size
    return nn.Sequential(*layers, nn.Linear(n_in, 1))


def r2(model, dataset):
    X, y = dataset.tensors
    model.eval()
    with torch.no_grad():
        pred = model(X).flatten()
    y = y.flatten()
    return 1 - ((pred - y).square().sum() / (y - y.mean()).square().sum()).item()


def train(cfg):
    torch.manual_seed(cfg["seed"])
    train_ds, test_ds = read(cfg)
    model = build(len(cfg["features"]), cfg["hidden"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    criterion = nn.MSELoss()
    loader = DataLoader(train_ds, batch_size=cfg["batch_size"], shuffle=True)
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        total = 0.0
        for X, y in loader:
            opt.zero_grad()
            loss = criterion(model(X), y)
            loss.backward()
            opt.step()
            total += loss.item()
        if epoch % 10 == 0:
            print(f"epoch {epoch} mse {total / len(loader):.4f} train R2 {r2(model, train_ds):.3f}")
    print(f"test R2 {r2(model, test_ds):.3f}")


with open(os.path.join(HERE, "config.json")) as f:
    train(json.load(f))
