import torch

PAD = 0
N_WORDS, N_TAGS = 61, 25


def sentences(n, max_len, g):
    """A tag follows from the word and from the group of the word before it."""
    ids = torch.randint(1, N_WORDS, (n, max_len), generator=g)
    before = torch.cat([torch.zeros(n, 1, dtype=torch.long), ids[:, :-1]], dim=1)
    tags = 1 + (ids % 8) * 3 + before % 3
    length = torch.randint(max_len // 2, max_len + 1, (n, 1), generator=g)
    blank = torch.arange(max_len) >= length
    return ids.masked_fill(blank, PAD), tags.masked_fill(blank, PAD)
