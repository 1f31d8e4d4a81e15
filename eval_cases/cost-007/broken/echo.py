import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def picture(wave):
    """Short-time spectrum, frame by frame."""
    window = np.hanning(64)
    frames = [np.abs(np.fft.rfft(wave[k : k + 64] * window)) for k in range(0, len(wave) - 64, 16)]
    return np.log1p(np.stack(frames)).mean(0).astype("float32")


class Echoes(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.kind = rng.integers(0, 3, n)
        t = np.arange(1600)
        self.wave = np.sin(t * (0.2 + 0.15 * self.kind[:, None])) + rng.normal(0, 1, (n, 1600))

    def __len__(self):
        return len(self.kind)

    def __getitem__(self, i):
        return picture(self.wave[i]), self.kind[i]


torch.manual_seed(0)
train, test = Echoes(128, 1), Echoes(60, 2)
net = nn.Sequential(nn.Linear(33, 32), nn.ReLU(), nn.Linear(32, 3))
opt = torch.optim.Adam(net.parameters(), lr=2e-2)
for epoch in range(1, 9):
    clock = time.perf_counter()
    for x, kind in DataLoader(train, 16, shuffle=True):
        loss = nn.functional.cross_entropy(net(x), kind)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.3f} {time.perf_counter() - clock:.3f} s")
x, kind = next(iter(DataLoader(test, 60)))
with torch.no_grad():
    print(f"test accuracy {(net(x).argmax(1) == kind).float().mean().item():.3f}")
