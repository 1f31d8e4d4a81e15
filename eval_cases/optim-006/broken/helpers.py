import torch
from torch.nn.utils import clip_grad_norm_


def pad_batch(rows):
    lengths = torch.tensor([len(ids) for ids, _ in rows])
    out = torch.zeros(len(rows), int(lengths.max()), dtype=torch.long)
    for r, (ids, _) in enumerate(rows):
        out[r, : len(ids)] = torch.tensor(ids)
    return out, lengths, torch.tensor([float(label) for _, label in rows])


def apply_gradients(loss, model, optimizer, max_norm):
    """Backpropagate, clip and update; returns the norm before clipping."""
    loss.backward()
    norm = clip_grad_norm_(model.parameters(), max_norm)
    optimizer.zero_grad()
    optimizer.step()
    return float(norm)


class GradStats:
    def __init__(self):
        self.values = []

    def add(self, v):
        self.values.append(v)

    def flush(self):
        mean = sum(self.values) / len(self.values)
        self.values.clear()
        return mean
