import torch
from torch.utils.data import Dataset


class Signals(Dataset):
    """Short noisy waves of three kinds."""

    def __init__(self, n, seed, transform=None):
        g = torch.Generator().manual_seed(seed)
        self.kind = torch.randint(0, 3, (n,), generator=g)
        t = torch.linspace(0, 6.2832, 32)
        wave = (t * (1 + self.kind[:, None]) + 6.2832 * torch.rand(n, 1, generator=g)).sin()
        self.wave = 3 + 2 * (wave + 0.3 * torch.randn(n, 32, generator=g))
        self.transform = transform

    def __len__(self):
        return len(self.kind)

    def __getitem__(self, i):
        wave = self.wave[i]
        if self.transform is not None:
            wave = self.transform(wave)
        return wave, self.kind[i]
