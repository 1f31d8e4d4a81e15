import copy

import torch
from torch import nn
from torch.nn import functional as F


class Teacher:
    """Slowly follows the student."""

    def __init__(self, student, keep):
        self.net = copy.deepcopy(student).requires_grad_(False)
        self.keep = keep

    def follow(self, student):
        with torch.no_grad():
            for mine, new in zip(self.net.parameters(), student.parameters()):
                mine.lerp(new, 1 - self.keep)


def moons(n, g):
    side = torch.randint(0, 2, (n,), generator=g)
    t = 3.1416 * torch.rand(n, generator=g)
    x = torch.stack([t.cos() + side, t.sin() * (1 - 2 * side) + 0.4 * side], 1)
    return x + 0.12 * torch.randn(n, 2, generator=g), side


g = torch.Generator().manual_seed(7)
torch.manual_seed(7)
x, side = moons(60, g)
free, _ = moons(1000, g)
xt, side_t = moons(500, g)
student = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
teacher = Teacher(student, keep=0.98)
opt = torch.optim.Adam(student.parameters(), lr=3e-3)
for step in range(1, 401):
    rows = torch.randint(1000, (64,))
    agree = F.mse_loss(student(free[rows]).softmax(1), teacher.net(free[rows] + 0.05 * torch.randn(64, 2)).softmax(1))
    loss = F.cross_entropy(student(x), side) + min(1.0, step / 200) * agree
    opt.zero_grad()
    loss.backward()
    opt.step()
    teacher.follow(student)
    if step % 80 == 0:
        print(f"step {step} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"student {(student(xt).argmax(1) == side_t).float().mean().item():.3f}, teacher {(teacher.net(xt).argmax(1) == side_t).float().mean().item():.3f}")
