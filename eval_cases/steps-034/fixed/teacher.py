import copy

import torch
from torch import nn
from torch.nn import functional as F


class MeanTeacher:
    def __init__(self, student, decay=0.97):
        self.student = student
        self.teacher = copy.deepcopy(student).requires_grad_(False).eval()
        self.decay = decay

    @torch.no_grad()
    def follow(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.mul_(self.decay).add_(s, alpha=1 - self.decay)


def moons(n):
    side = torch.randint(0, 2, (n,))
    a = 3.1416 * torch.rand(n)
    x = torch.stack([a.cos() + side, a.sin() * (1 - 2 * side) + 0.4 * side], 1)
    return x + 0.12 * torch.randn(n, 2), side


torch.manual_seed(26)
labelled, label = moons(60)
free, _ = moons(800)
xt, yt = moons(500)
pair = MeanTeacher(nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2)))
opt = torch.optim.Adam(pair.student.parameters(), lr=4e-3)
for step in range(1, 401):
    a, b = torch.randint(0, 60, (20,)), torch.randint(0, 800, (64,))
    wanted = pair.teacher(free[b]).softmax(1)
    given = pair.student(free[b] + 0.1 * torch.randn(64, 2))
    loss = F.cross_entropy(pair.student(labelled[a]), label[a]) + 0.5 * F.mse_loss(given.softmax(1), wanted)
    opt.zero_grad()
    loss.backward()
    opt.step()
    pair.follow()
    if step % 100 == 0:
        print(f"step {step} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"teacher accuracy {(pair.teacher(xt).argmax(1) == yt).float().mean().item():.3f}")
