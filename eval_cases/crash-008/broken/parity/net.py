import torch
from torch import nn


class Counter(nn.Module):
    """Says which of two signs occurs more often in a sequence."""

    def __init__(self, size):
        super().__init__()
        dim = size["d_model"]
        self.signs = nn.Embedding(size["vocabulary"], dim)
        block = nn.TransformerEncoderLayer(
            d_model=dim,
            nhead=size["num_heads"],
            dim_feedforward=size["feedforward"],
            dropout=0.0,
            batch_first=True,
        )
        self.encoder = nn.TransformerEncoder(block, num_layers=size["layers"])
        self.norm = nn.LayerNorm(dim)
        self.answer = nn.Linear(dim, 2)

    def forward(self, ids):
        return self.answer(self.norm(self.encoder(self.signs(ids)).mean(dim=1)))
