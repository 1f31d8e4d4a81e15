import torch

LENGTH = 14


def reviews(n):
    """Words 1..10 are kind, 11..20 are not, the others say nothing."""
    mood = torch.randint(0, 2, (n,))
    ids = torch.randint(21, 60, (n, LENGTH))
    for k in range(4):
        word = torch.randint(1, 11, (n,)) + 10 * (1 - mood)
        ids[:, 3 * k] = word
    return ids, mood.float()
