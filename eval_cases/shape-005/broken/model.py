import torch.nn as nn


class Forecaster(nn.Module):
    """Dilated causal convolutions over the past, one number out."""

    def __init__(self, channels=16, dilations=(1, 2, 4)):
        super().__init__()
        convs, c = [], 1
        for d in dilations:
            convs += [nn.Conv1d(c, channels, 3, dilation=d), nn.ReLU()]
            c = channels
        self.convs = nn.Sequential(*convs)
        self.top = nn.Linear(channels, 1)

    def forward(self, past):
        h = self.convs(past.unsqueeze(1))
        return self.top(h[:, :, -1])
