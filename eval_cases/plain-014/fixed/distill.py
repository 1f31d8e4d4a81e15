"""Knowledge distillation: a wide teacher, then a narrow student with KL at temperature T."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(0)
T, ALPHA = 3.0, 0.7


def get():
    d = load_digits()
    p = torch.randperm(1797)
    x, y = torch.tensor(d.data / 16.0).float()[p], torch.tensor(d.target)[p]
    return (x[:1300], y[:1300]), (x[1300:], y[1300:])


def mlp(h):
    return nn.Sequential(nn.Linear(64, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 10))


def acc(m, data):
    with torch.no_grad():
        return (m(data[0]).argmax(-1) == data[1]).float().mean().item()


train, test = get()
teacher, student = mlp(256), mlp(16)
opt = torch.optim.Adam(teacher.parameters(), lr=2e-3)
for ep in range(6):
    for i in torch.randperm(1300).split(64):
        opt.zero_grad()
        loss = F.cross_entropy(teacher(train[0][i]), train[1][i])
        loss.backward()
        opt.step()
print("teacher", loss.item(), acc(teacher, test))

teacher.eval()
for p in teacher.parameters():
    p.requires_grad_(False)

opt = torch.optim.Adam(student.parameters(), lr=5e-3)
for ep in range(15):
    for i in torch.randperm(1300).split(64):
        x, y = train[0][i], train[1][i]
        s = student(x)
        kd = F.kl_div(F.log_softmax(s / T, -1), F.softmax(teacher(x) / T, -1), reduction="batchmean") * T * T
        loss = ALPHA * kd + (1 - ALPHA) * F.cross_entropy(s, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    if ep % 3 == 2:
        print(f"student ep {ep} loss {loss.item():.4f} kd {kd.item():.4f} acc {acc(student, test):.3f}")
