import torch
from torch import nn
from torch.nn import functional as F


def normalise(scores: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Turns raw tag scores into a distribution over tags."""
    return F.softmax(scores, dim=dim)


class BiTagger(nn.Module):
    def __init__(self, n_words, n_tags, dim=24, width=32, pad=0):
        super().__init__()
        self.words = nn.Embedding(n_words, dim, padding_idx=pad)
        self.lstm = nn.LSTM(dim, width, batch_first=True, bidirectional=True)
        self.tags = nn.Linear(2 * width, n_tags)

    def forward(self, ids):
        states, _ = self.lstm(self.words(ids))
        return normalise(self.tags(states))
