from torch import nn


def build(hidden, p_drop):
    return nn.Sequential(
        nn.Linear(64, hidden), nn.ReLU(), nn.Dropout(p_drop),
        nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(p_drop),
        nn.Linear(hidden, 10),
    )
