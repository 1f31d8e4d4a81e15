import numpy as np
import torch


def ratings(n_users=120, n_items=90, rank=3, per_user=45, seed=3):
    """Simulated star ratings driven by a few latent tastes."""
    g = np.random.default_rng(seed)
    taste = g.normal(0, 1, (n_users, rank))
    style = g.normal(0, 1, (n_items, rank))
    popularity = g.normal(0, 0.3, n_items)
    rows = []
    for u in range(n_users):
        for i in g.choice(n_items, per_user, replace=False):
            score = taste[u] @ style[i] / np.sqrt(rank) + popularity[i] + g.normal(0, 0.2)
            rows.append((u, i, score))
    g.shuffle(rows)
    users = torch.tensor([int(r[0]) for r in rows])
    items = torch.tensor([int(r[1]) for r in rows])
    stars = torch.tensor([r[2] for r in rows], dtype=torch.float32)
    cut = int(0.85 * len(rows))
    return (users[:cut], items[:cut], stars[:cut]), (users[cut:], items[cut:], stars[cut:])
