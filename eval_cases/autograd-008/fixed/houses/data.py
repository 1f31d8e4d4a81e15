import torch
from sklearn.datasets import make_friedman2


def load(seed):
    x, y = make_friedman2(900, noise=20.0, random_state=seed)
    x = (x - x[:700].mean(axis=0)) / x[:700].std(axis=0)
    y = (y - y[:700].mean()) / y[:700].std()
    x, y = torch.from_numpy(x).float(), torch.from_numpy(y).float()
    return {"train": (x[:700], y[:700]), "test": (x[700:], y[700:])}
