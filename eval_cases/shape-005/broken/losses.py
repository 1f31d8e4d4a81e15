import torch


def pinball(forecast, actual, q=0.5, weight=None):
    """Quantile loss, optionally weighted per sample."""
    err = actual - forecast
    cost = torch.maximum(q * err, (q - 1) * err)
    if weight is not None:
        cost = cost * weight
    return cost.mean()
