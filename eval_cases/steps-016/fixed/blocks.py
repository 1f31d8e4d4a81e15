from torch import nn


class Words(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.vocab, self.dim = vocab, dim
        self.table = self.make()

    def make(self):
        return nn.Embedding(self.vocab, self.dim, padding_idx=0)

    def forward(self, ids):
        return self.table(ids)
