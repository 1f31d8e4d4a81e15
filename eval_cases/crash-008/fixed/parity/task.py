import torch


def draw(n, size, generator):
    ids = torch.randint(0, size["vocabulary"], (n, size["length"]), generator=generator)
    low = (ids < size["vocabulary"] // 3).sum(dim=1)
    high = (ids >= 2 * size["vocabulary"] // 3).sum(dim=1)
    return ids, (low > high).long()
