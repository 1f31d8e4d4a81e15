import torch
from torch import nn


class LeakyCell(nn.Module):
    """A recurrent cell with a learnt leak for each unit."""

    def __init__(self, n_in, n_units):
        super().__init__()
        self.n_units = n_units
        self.into = nn.Linear(n_in, n_units)
        self.back = nn.Linear(n_units, n_units, bias=False)
        self.leak = nn.Parameter(torch.zeros(n_units))
        nn.init.orthogonal_(self.back.weight)

    def forward(self, x, state):
        state = torch.tanh(self.into(x) + self.back(state))
        state *= torch.sigmoid(3 + self.leak)
        return state


class Reader(nn.Module):
    def __init__(self, n_in, n_units):
        super().__init__()
        self.cell = LeakyCell(n_in, n_units)
        self.out = nn.Linear(n_units, 1)

    def forward(self, seq):
        state = seq.new_zeros(seq.shape[0], self.cell.n_units)
        for x in seq.unbind(1):
            state = self.cell(x, state)
        return self.out(state).squeeze(-1)
