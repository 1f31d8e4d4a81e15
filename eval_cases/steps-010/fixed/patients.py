import torch


def cohort(n):
    """Eight correlated lab values; the last two decide."""
    f = torch.randn(n, 3)
    x = torch.cat([f, f @ torch.tensor([[1.0, 0.5, -1], [0, 1, 1], [0.5, 0, 1]]), torch.randn(n, 2)], 1)
    return x, (x[:, 6] + x[:, 7] > 0).float()
