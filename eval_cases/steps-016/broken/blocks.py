from torch import nn


class Words(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.vocab, self.dim = vocab, dim

    def make(self):
        return nn.Embedding(self.vocab, self.dim, padding_idx=0)

    def forward(self, ids):
        return self.make()(ids)
