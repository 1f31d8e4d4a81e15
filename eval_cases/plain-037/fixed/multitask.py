# shared trunk, three heads: parity (BCE), digit (CE), ink (MSE) ; uncertainty weights (Kendall) ; a reserved head not used yet
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(0)
raw = load_digits()
X = torch.tensor(raw.data / 16).float()
digit = torch.tensor(raw.target)
parity = (digit % 2).float()
ink = X.mean(1); ink = (ink - ink.mean()) / ink.std()
perm = torch.randperm(1797); TR, TE = perm[:1400], perm[1400:]


class Multi(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(64, 64), nn.GELU(), nn.LayerNorm(64))
        self.digit, self.par, self.ink = nn.Linear(64, 10), nn.Linear(64, 1), nn.Linear(64, 1)
        self.reserved = nn.Linear(64, 7)          # for the next release; no loss yet
        self.s = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        h = self.trunk(x)
        return self.digit(h), self.par(h)[:, 0], self.ink(h)[:, 0]


m = Multi()
opts = [torch.optim.Adam([p for n, p in m.named_parameters() if n != "s"], lr=3e-3), torch.optim.SGD([m.s], lr=1e-2)]
for ep in range(10):
    m.train()
    for i in TR[torch.randperm(1400)].split(50):
        a, b, c = m(X[i])
        losses = torch.stack([F.cross_entropy(a, digit[i]), F.binary_cross_entropy_with_logits(b, parity[i]), F.mse_loss(c, ink[i])])
        total = (torch.exp(-m.s) * losses + m.s).sum()
        for o in opts: o.zero_grad()
        total.backward()
        for o in opts: o.step()
    m.eval()
    with torch.no_grad():
        a, b, c = m(X[TE])
        print(f"ep {ep} total {total.item():.3f} parts {[round(v, 3) for v in losses.tolist()]} digit {(a.argmax(1) == digit[TE]).float().mean():.3f} "
              f"parity {((b > 0).float() == parity[TE]).float().mean():.3f} ink mse {F.mse_loss(c, ink[TE]):.4f}")
