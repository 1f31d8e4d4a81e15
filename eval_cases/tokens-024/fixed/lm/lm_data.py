import torch


class NextWord(torch.utils.data.Dataset):
    """Rows that count up by 1, 2 or 3; an item is a row without its end, and the same row without its beginning."""

    def __init__(self, n, seed, length=16):
        g = torch.Generator().manual_seed(seed)
        first = torch.randint(0, 10, (n, 1), generator=g)
        by = torch.randint(1, 4, (n, 1), generator=g)
        self.rows = (first + by * torch.arange(length + 1)) % 10

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, k):
        row = self.rows[k]
        return row[..., :-1], row[..., 1:]
