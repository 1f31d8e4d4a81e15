import torch
from torch import nn


class Category(nn.Module):
    def __init__(self, words, width, categories):
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.out = nn.Linear(width, categories, bias=True)

    def forward(self, pair):
        return self.out(self.table(pair).sum(1))


class Lexicon:
    """Two words of a phrase give its category."""

    def __init__(self, words, categories, seed):
        g = torch.Generator().manual_seed(seed)
        self.kind = torch.randn(words, categories, generator=g)
        self.g, self.words = g, words

    def phrases(self, n):
        pair = torch.randint(0, self.words, (n, 2), generator=self.g)
        return pair, self.kind[pair].sum(1).argmax(1)


torch.manual_seed(4)
lexicon = Lexicon(120, 8, seed=4)
pair, kind = lexicon.phrases(3000)
pair_t, kind_t = lexicon.phrases(1000)
model = Category(120, 16, 8)
opt = torch.optim.Adam(model.parameters(), lr=0.03)
for epoch in range(1, 13):
    for rows in torch.randperm(3000).split(60):
        loss = nn.functional.cross_entropy(model(pair[rows]), kind[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        with torch.no_grad():
            print(f"epoch {epoch} loss {loss.item():.3f} train {(model(pair).argmax(1) == kind).float().mean().item():.3f} test {(model(pair_t).argmax(1) == kind_t).float().mean().item():.3f}")
