import torch
from torch import nn

MASK, WORDS, LENGTH = 0, 9, 12


def sentences(n):
    """Palindromes over eight words."""
    half = torch.randint(1, WORDS, (n, LENGTH // 2))
    return torch.cat([half, half.flip(1)], 1)


def hide(ids, share=0.15):
    gone = torch.rand(ids.shape) < share
    return torch.where(gone, MASK, ids), torch.where(gone, ids, -100)


class Encoder(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.word = nn.Embedding(WORDS, d)
        self.place = nn.Parameter(0.2 * torch.randn(LENGTH, d))
        layer = nn.TransformerEncoderLayer(d, 2, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.out = nn.Linear(d, WORDS)

    def forward(self, ids):
        return self.out(self.body(self.word(ids) + self.place))


torch.manual_seed(3)
model = Encoder()
opt = torch.optim.AdamW(model.parameters(), lr=6e-3)
for step in range(1, 301):
    seen, wanted = hide(sentences(64))
    loss = nn.functional.cross_entropy(model(seen).transpose(1, 2), wanted, ignore_index=-100)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 60 == 0:
        print(f"step {step} loss {loss.item():.4f}")
model.eval()
seen, wanted = hide(sentences(400))
with torch.no_grad():
    hit = (model(seen).argmax(2) == wanted)[wanted != -100]
print(f"hidden words recovered {hit.float().mean().item():.3f}")
