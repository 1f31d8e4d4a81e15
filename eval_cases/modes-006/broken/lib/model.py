from torch import nn


def deep_mlp(n_in, width, depth, n_out):
    layers = []
    for i in range(depth):
        layers += [nn.Linear(n_in if i == 0 else width, width), nn.BatchNorm1d(width), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(width, n_out))
