from torch import nn

import blocks


class Sentiment(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.words = blocks.Words(vocab, dim)
        self.out = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, ids):
        return self.out(self.words(ids).mean(1)).squeeze(1)
