"""SimSiam: negative cosine similarity, stop-gradient, no negatives. Loss lies in [-1, 0]."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression


def augment(x):
    x = x.view(-1, 8, 8)
    x = torch.roll(x, shifts=(int(torch.randint(-1, 2, ())), int(torch.randint(-1, 2, ()))), dims=(1, 2))
    x = x * (0.8 + 0.4 * torch.rand(len(x), 1, 1)) + 0.1 * torch.randn_like(x)
    return x.reshape(-1, 64)


class SimSiam(nn.Module):
    def __init__(self, d=64):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(64, 128), nn.BatchNorm1d(128), nn.ReLU(), nn.Linear(128, d), nn.BatchNorm1d(d, affine=False))
        self.h = nn.Sequential(nn.Linear(d, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, d))

    def forward(self, a, b):
        z1, z2 = self.f(a), self.f(b)
        p1, p2 = self.h(z1), self.h(z2)
        return p1, p2, z1.detach(), z2.detach()


def D(p, z):
    return -F.cosine_similarity(p, z, dim=-1).mean()


def probe(m, X, y):
    m.eval()
    with torch.no_grad():
        r = m.f(X).numpy()
    m.train()
    return LogisticRegression(max_iter=200).fit(r[:1200], y[:1200]).score(r[1200:], y[1200:]), r.std(0).mean()


torch.manual_seed(0)
d = load_digits()
X, y = torch.tensor(d.data / 16).float(), d.target
m = SimSiam()
opt = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
print("probe before", probe(m, X, y))
for ep in range(15):
    s = 0
    for i in torch.randperm(1200).split(100):
        p1, p2, z1, z2 = m(augment(X[i]), augment(X[i]))
        loss = D(p1, z2) / 2 + D(p2, z1) / 2
        opt.zero_grad(); loss.backward(); opt.step()
        s += loss.item() / 12
    if ep % 3 == 2:
        print(f"ep {ep} loss {s:.4f}")
print("probe after", probe(m, X, y))
