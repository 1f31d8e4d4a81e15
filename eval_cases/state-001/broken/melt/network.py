from torch import nn


class MeltNet(nn.Module):
    def __init__(self, inputs, widths):
        super().__init__()
        parts = []
        for width in widths:
            parts += [nn.Linear(inputs, width), nn.ReLU()]
            inputs = width
        self.encoder = nn.Sequential(*parts)
        self.head = nn.Linear(inputs, 1)

    def forward(self, x):
        return self.head(self.encoder(x))
