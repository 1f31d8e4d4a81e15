import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

N_SONGS, LONGEST = 120, 10


class Playlists(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        mood = np.random.default_rng(0).normal(size=N_SONGS + 1)
        self.length = rng.integers(0, LONGEST + 1, n)
        self.songs = rng.integers(1, N_SONGS + 1, (n, LONGEST))
        self.songs[np.arange(LONGEST) >= self.length[:, None]] = 0
        has = self.songs > 0
        mean = (mood[self.songs] * has).sum(1) / np.maximum(has.sum(1), 1)
        self.age = np.random.default_rng(seed + 1).normal(size=n)
        self.happy = (mean + 0.3 * self.age > 0).astype(np.float32)

    def __len__(self):
        return len(self.length)

    def __getitem__(self, i):
        return torch.from_numpy(self.songs[i]), np.float32(self.age[i]), self.happy[i]


class MeanOfSongs(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.table = nn.Embedding(N_SONGS + 1, width, padding_idx=0)
        self.head = nn.Sequential(nn.Linear(width + 1, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, songs, age):
        has = (songs > 0).unsqueeze(-1).float()
        mean = (self.table(songs) * has).sum(1) / has.sum(1).clamp(min=1.0)
        return self.head(torch.cat([mean, age.unsqueeze(1)], 1)).squeeze(1)


def main():
    torch.manual_seed(70)
    train = DataLoader(Playlists(2000, 1), batch_size=50, shuffle=True)
    test = Playlists(400, 5)
    print(f"{(test.length == 0).sum()} of {len(test)} test playlists have no song")
    model = MeanOfSongs()
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(7):
        total = 0.0
        for songs, age, happy in train:
            loss = criterion(model(songs, age), happy)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / len(train):.4f}")
    model.eval()
    with torch.no_grad():
        out = model(torch.from_numpy(test.songs), torch.tensor(test.age, dtype=torch.float32))
        happy = torch.from_numpy(test.happy)
        print(f"test loss {criterion(out, happy):.4f} accuracy {((out > 0) == (happy > 0.5)).float().mean():.3f}")


if __name__ == "__main__":
    main()
