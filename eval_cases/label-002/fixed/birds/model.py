from torch import nn


def make_model(n_features: int, n_kinds: int, width: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(n_features, width),
        nn.GELU(),
        nn.Linear(width, width),
        nn.GELU(),
        nn.Linear(width, n_kinds),
    )
