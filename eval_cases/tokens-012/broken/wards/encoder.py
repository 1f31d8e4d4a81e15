import torch
from torch import nn


class WardModel(nn.Module):
    def __init__(self, codes, d, wards):
        super().__init__()
        self.embed = nn.Embedding(codes, d)
        self.start = nn.Parameter(0.1 * torch.randn(1, 1, d))
        self.attend = nn.MultiheadAttention(d, 2, batch_first=True)
        self.norm = nn.LayerNorm(d)
        self.out = nn.Linear(d, wards)

    def forward(self, code, mask):
        x = self.embed(code)
        start = self.start.expand(len(x), 1, -1)
        h, _ = self.attend(start, x, x, key_padding_mask=mask, need_weights=False)
        return self.out(self.norm(h[:, 0] + start[:, 0]))
