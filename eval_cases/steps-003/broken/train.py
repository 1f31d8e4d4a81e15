import math

import torch
import torch.nn as nn

torch.manual_seed(12)
N, T = 900, 48
t = torch.arange(T) / T
kind = torch.randint(0, 3, (N,))
freq = torch.tensor([2.0, 5.0, 9.0])[kind][:, None]
phase = 2 * math.pi * torch.rand(N, 1)
wave = torch.sin(2 * math.pi * freq * t + phase) + 0.4 * torch.randn(N, T)
train_x, test_x = wave[:700, None], wave[700:, None]
train_y, test_y = kind[:700], kind[700:]

net = nn.Sequential(
    nn.Conv1d(1, 12, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
    nn.Conv1d(12, 16, 5, padding=2), nn.ReLU(), nn.AdaptiveMaxPool1d(1),
    nn.Flatten(), nn.Linear(16, 3),
)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
ce = nn.CrossEntropyLoss()

for epoch in range(1, 16):
    total = 0.0
    for idx in torch.randperm(700).split(70):
        opt.zero_grad()
        loss = ce(net(train_x[idx]), train_y[idx])
        opt.step()
        loss.backward()
        total += loss.item() * len(idx)
    if epoch % 5 == 0:
        print("epoch", epoch, "loss", round(total / 700, 4))

with torch.no_grad():
    acc = (net(test_x).argmax(1) == test_y).float().mean()
print(f"test accuracy {acc:.3f}")
