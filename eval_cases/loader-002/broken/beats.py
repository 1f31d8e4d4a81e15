import json
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


class Beats(Dataset):
    """Single heart beats, one JSON object a line."""

    def __init__(self, path):
        self.lines = Path(path).read_text().splitlines()

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        beat = json.loads(self.lines[index])
        return {"volt": torch.tensor(beat["volt"]), "late": torch.tensor(float(beat["late"]))}


class BeatNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(8, 8, 3, padding=1), nn.ReLU(),
        )
        self.decide = nn.Linear(8 * 12, 1)

    def forward(self, volt):
        return self.decide(self.features(volt[:, None]).flatten(1)).squeeze(1)


def fit(net, loader, epochs):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.004)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            loss = criterion(net(batch["volt"]), batch["late"])
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch + 1}/{epochs} loss {loss.item():.3f}")


if __name__ == "__main__":
    torch.manual_seed(28)
    beats = Beats(Path(__file__).with_name("beats.jsonl"))
    train, test = random_split(beats, [200, 60], torch.Generator().manual_seed(28))
    net = BeatNet()
    fit(net, DataLoader(train, batch_size=20, shuffle=True), epochs=8)
    with torch.no_grad():
        right = torch.cat([(net(b["volt"]) > 0) == b["late"].bool() for b in DataLoader(test, batch_size=60)])
    print(f"beats told apart: {right.float().mean():.3f}")
