import random


def divide(n, share, seed=None):
    """Numbers of the rows to fit and to check."""
    rows = list(range(n))
    random.Random(seed).shuffle(rows)
    cut = int(share * n)
    return rows[:cut], rows[cut:]
