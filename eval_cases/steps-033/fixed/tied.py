import torch
from torch import nn

NAMES = ["anna", "bernd", "clara", "dario", "emma", "fritz", "gina", "hanno", "ines", "jonas"]
CHARS = "." + "abcdefghijklmnopqrstuvwxyz"


class NextLetter(nn.Module):
    def __init__(self, dim=24, context=3):
        super().__init__()
        self.letters = nn.Embedding(len(CHARS), dim)
        self.mix = nn.Sequential(nn.Linear(context * dim, 64), nn.Tanh(), nn.Linear(64, dim))
        self.out = nn.Linear(dim, len(CHARS))
        self.out.weight = self.letters.weight

    def forward(self, ids):
        return self.out(self.mix(self.letters(ids).flatten(1)))


def pairs():
    x, y = [], []
    for name in NAMES:
        text = "..." + name + "."
        for k in range(3, len(text)):
            x.append([CHARS.index(c) for c in text[k - 3:k]])
            y.append(CHARS.index(text[k]))
    return torch.tensor(x), torch.tensor(y)


torch.manual_seed(13)
x, y = pairs()
net = NextLetter()
nn.init.normal_(net.letters.weight, std=0.2)
print(sum(p.numel() for p in net.parameters()), "parameters,", len(x), "letters")
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for step in range(1, 301):
    rows = torch.randint(0, len(x), (32,))
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(f"step {step} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"letters recalled {(net(x).argmax(1) == y).float().mean().item():.3f}")
