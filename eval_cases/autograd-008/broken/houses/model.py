from torch import nn


class Regressor(nn.Module):
    def __init__(self, n_in, width=48):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, width), nn.LayerNorm(width), nn.ReLU(),
            nn.Linear(width, width), nn.LayerNorm(width), nn.ReLU(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.net(x)[..., 0]
