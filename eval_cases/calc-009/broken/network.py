from torch import nn


class BeatNet(nn.Module):
    def __init__(self, kinds=3, width=12):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, width, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(width, width, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2))
        self.head = nn.Linear(width * 8, kinds)

    def forward(self, trace):
        return self.head(self.features(trace).flatten(1))
