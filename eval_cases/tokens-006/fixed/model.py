import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.rnn(x.unsqueeze(2))[0]).squeeze(2)


def masked_error(guess, wanted, length):
    position = torch.arange(wanted.shape[1])
    weight = (position < length[:, None]).float()
    return (weight * (guess - wanted) ** 2).sum() / weight.sum()
