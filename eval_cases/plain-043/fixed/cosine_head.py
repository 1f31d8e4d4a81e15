# Cosine classifier with scale and margin (CosFace) -- logits bounded; ReLU features -> non-negative cosines
import torch, torch.nn as nn, torch.nn.functional as F
from sklearn.datasets import load_digits
torch.manual_seed(0)
d = load_digits(); X = torch.tensor(d.data / 16).float(); y = torch.tensor(d.target)
p = torch.randperm(1797); tr, te = p[:1400], p[1400:]


class CosFace(nn.Module):
    def __init__(self, s=12.0, m=0.2):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU())
        self.w = nn.Parameter(torch.rand(10, 48))
        self.s, self.m = s, m

    def forward(self, x, y=None):
        cos = F.linear(F.normalize(self.f(x)), F.normalize(self.w.abs()))   # in [0, 1]
        if y is None:
            return cos
        return self.s * (cos - self.m * F.one_hot(y, 10))


net = CosFace()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for ep in range(10):
    for i in tr[torch.randperm(1400)].split(64):
        loss = F.cross_entropy(net(X[i], y[i]), y[i])
        opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        print(ep, round(loss.item(), 4), "acc", (net(X[te]).argmax(1) == y[te]).float().mean().item())
