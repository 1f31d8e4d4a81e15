import torch


class Furnace:
    """Synthetic charges: eight readings, one yield."""

    def __init__(self, seed, shift):
        self.generator = torch.Generator().manual_seed(seed)
        self.mix = torch.randn(8, 3, generator=torch.Generator().manual_seed(1))
        self.shift = shift

    def charges(self, n):
        x = torch.randn(n, 8, generator=self.generator)
        z = x @ self.mix
        y = torch.sin(z[:, :1] + self.shift) + 0.5 * z[:, 1:2] * torch.tanh(z[:, 2:3])
        return x, y + 0.05 * torch.randn(n, 1, generator=self.generator)
