import torch
from torch import nn


class Chain(nn.Module):
    """Scores for a chain of tags: one score per tag and token, one per pair of neighbours."""

    def __init__(self, n_words, n_tags, width):
        super().__init__()
        self.table = nn.Embedding(n_words, width)
        self.mix = nn.Conv1d(width, width, 3, padding=1)
        self.emit = nn.Linear(width, n_tags)
        self.move = nn.Parameter(torch.zeros(n_tags, n_tags))

    def emissions(self, words):
        h = torch.tanh(self.mix(self.table(words).transpose(1, 2))).transpose(1, 2)
        return self.emit(h)

    def total(self, emissions):
        """log of the sum over all paths"""
        alpha = emissions[:, 0]
        for step in range(1, emissions.shape[1]):
            alpha = torch.logsumexp(alpha.unsqueeze(2) + self.move, dim=1) + emissions[:, step]
        return torch.logsumexp(alpha, dim=1)

    def path(self, emissions, tags):
        score = emissions.gather(2, tags.unsqueeze(2)).sum((1, 2))
        return score + self.move[tags[:, :-1], tags[:, 1:]].sum(1)

    def forward(self, words, tags):
        emissions = self.emissions(words)
        return (self.total(emissions) - self.path(emissions, tags)).mean() / words.shape[1]

    @torch.no_grad()
    def decode(self, words):
        emissions = self.emissions(words)
        best, back = emissions[:, 0], []
        for step in range(1, emissions.shape[1]):
            value, index = (best.unsqueeze(2) + self.move).max(1)
            best = value + emissions[:, step]
            back.append(index)
        tag = best.argmax(1)
        out = [tag]
        for index in reversed(back):
            tag = index.gather(1, tag.unsqueeze(1)).squeeze(1)
            out.append(tag)
        return torch.stack(out[::-1], 1)
