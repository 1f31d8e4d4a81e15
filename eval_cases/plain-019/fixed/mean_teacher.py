"""Mean teacher on two moons with 10 labels: EMA copy without gradients, consistency loss, ramp-up."""
import copy
import math

import torch
import torch.nn as nn
from sklearn.datasets import make_moons

torch.manual_seed(0)
X, y = make_moons(1000, noise=0.1, random_state=0)
X, y = torch.tensor(X).float(), torch.tensor(y)
lab = torch.cat([(y == c).nonzero().flatten()[:5] for c in (0, 1)])

student = nn.Sequential(nn.Linear(2, 50), nn.ReLU(), nn.Linear(50, 50), nn.ReLU(), nn.Linear(50, 2))
teacher = copy.deepcopy(student)
for p in teacher.parameters():
    p.requires_grad = False
opt = torch.optim.Adam(student.parameters(), lr=3e-3)


@torch.no_grad()
def ema(decay):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.mul_(decay).add_(s, alpha=1 - decay)


def noise(x):
    return x + 0.1 * torch.randn_like(x)


def acc(m):
    with torch.no_grad():
        return (m(X).argmax(1) == y).float().mean().item()


N = 700
for it in range(N):
    w = 8.0 * math.exp(-5 * (1 - min(1, it / 250)) ** 2)
    u = torch.randint(0, 1000, (100,))
    with torch.no_grad():
        target = teacher(noise(X[u])).softmax(-1)
    sup = nn.functional.cross_entropy(student(noise(X[lab])), y[lab])
    cons = (student(noise(X[u])).softmax(-1) - target).pow(2).mean()
    loss = sup + w * cons
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema(min(0.97, 1 - 1 / (it + 1)))
    if it % 100 == 0 or it == N - 1:
        print(f"{it:4d} sup {sup.item():.4f} cons {cons.item():.5f} w {w:.2f} student {acc(student):.3f} teacher {acc(teacher):.3f}")
