import torch


def bursts(n, g, longest=20):
    """Oscillations of 8 to 20 samples, filled up with zeros; the target is the next sample."""
    length = torch.randint(8, longest + 1, (n,), generator=g)
    t = torch.arange(longest + 1)
    rate = 0.4 + 0.8 * torch.rand(n, 1, generator=g)
    wave = torch.sin(rate * t + 6.28 * torch.rand(n, 1, generator=g))
    x, y = wave[:, :-1].clone(), wave[:, 1:].clone()
    outside = t[:-1] >= length[:, None]
    x[outside], y[outside] = 0.0, 0.0
    return x, y, length
