from torch import nn


def build(sizes):
    parts = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layer = nn.Linear(a, b)
        nn.init.normal_(layer.weight, std=(1 / a) ** 0.5)
        nn.init.zeros_(layer.bias)
        parts += [layer, nn.Tanh()]
    return nn.Sequential(*parts, nn.Linear(sizes[-2], sizes[-1]))
