from torch import nn


def make_net(inputs, spec):
    layers, width = [], inputs
    for hidden in spec["hidden"]:
        layers += [nn.Linear(width, hidden), nn.SiLU()]
        width = hidden
    return nn.Sequential(*layers, nn.Linear(width, spec["outputs"]))
