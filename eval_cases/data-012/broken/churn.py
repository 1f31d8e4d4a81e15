"""Which customers leave? Rare ones are repeated so that both kinds weigh the same."""
import numpy as np
import torch
from sklearn.model_selection import train_test_split
from torch import nn


def customers(n=1500, seed=7):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 10)).astype("float32")
    risk = x[:, 0] - 0.8 * x[:, 1] + x[:, 2] * x[:, 3] + rng.normal(0, 1.0, n)
    return x, (risk > np.quantile(risk, 0.9)).astype("float32")


def repeat_rare(x, y, seed=7):
    rng = np.random.default_rng(seed)
    rare, usual = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    rows = np.concatenate([usual, rng.choice(rare, len(usual))])
    return x[rows], y[rows]


def fit(x, y, epochs=15):
    torch.manual_seed(7)
    net = nn.Sequential(nn.Linear(10, 40), nn.ReLU(), nn.Linear(40, 1))
    opt = torch.optim.Adam(net.parameters(), lr=0.005)
    x, y = torch.from_numpy(x), torch.from_numpy(y)
    for epoch in range(epochs):
        for rows in torch.randperm(len(x)).split(64):
            opt.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]).squeeze(1), y[rows])
            loss.backward()
            opt.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1} loss {loss.item():.3f}")
    return net


def balanced(net, x, y):
    with torch.no_grad():
        leave = net(torch.from_numpy(x)).squeeze(1).numpy() > 0
    return (leave[y == 1].mean() + (~leave[y == 0]).mean()) / 2


x, y = customers()
x, y = repeat_rare(x, y)
x, xt, y, yt = train_test_split(x, y, test_size=0.3, random_state=7, stratify=y)
net = fit(x, y)
print(f"balanced accuracy {balanced(net, xt, yt):.3f}")
