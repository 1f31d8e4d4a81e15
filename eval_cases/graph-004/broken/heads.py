import torch
from torch import nn


class MultiHead(nn.Module):
    """Shared trunk with one regression head for each measured quantity."""

    def __init__(self, n_in, targets, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in targets})

    def forward(self, x):
        h = self.trunk(x)
        return {name: head(h).squeeze(-1) for name, head in self.heads.items()}
