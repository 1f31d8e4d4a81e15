import torch


def make(n, seed):
    """Words of ten letters; each of four languages has its own letter frequencies (the first is the most common)."""
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(4, 26, generator=torch.Generator().manual_seed(60)).mul(0.8).softmax(1)
    share = torch.tensor([0.55, 0.2, 0.15, 0.1])
    language = torch.multinomial(share, n, True, generator=g)
    return torch.stack([torch.multinomial(taste[k], 10, True, generator=g) for k in language]), language
