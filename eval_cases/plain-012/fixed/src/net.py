import torch.nn as nn


class MLP(nn.Module):
    """returns log-probabilities"""

    def __init__(self, widths):
        super().__init__()
        layers = []
        for a, b in zip(widths[:-2], widths[1:-1]):
            layers += [nn.Linear(a, b), nn.BatchNorm1d(b), nn.ReLU(), nn.Dropout(0.5)]
        layers += [nn.Linear(widths[-2], widths[-1]), nn.LogSoftmax(dim=1)]
        self.f = nn.Sequential(*layers)

    def forward(self, x):
        return self.f(x)
