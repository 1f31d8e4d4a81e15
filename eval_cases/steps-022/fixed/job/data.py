import torch


def stamps(n):
    """A bright bar at one of the four edges, at a varying distance."""
    y = torch.randint(0, 4, (n,))
    x = 0.7 * torch.randn(n, 12, 12)
    for k in range(n):
        d = int(torch.randint(0, 4, (1,)))
        img = x[k]
        (img[d], img[-1 - d], img[:, d], img[:, -1 - d])[y[k]].add_(1.5)
    return x[:, None], y
