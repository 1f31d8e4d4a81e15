import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1); np.random.seed(1)
d = load_digits()
X = torch.FloatTensor(d.images).unsqueeze(1).div(16)
Y = torch.LongTensor(d.target)
order = torch.randperm(len(X))
X, Y = X[order], Y[order]
train_dl = DataLoader(TensorDataset(X[:1300], Y[:1300]), batch_size=50, shuffle=True, drop_last=True)
Xt, Yt = X[1300:], Y[1300:]

net = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
    nn.Linear(128, 10),
)
EPOCHS = 8
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.3, total_steps=EPOCHS * len(train_dl), pct_start=0.3)
criterion = nn.CrossEntropyLoss(label_smoothing=0.05)


def mix(x, y, alpha=0.4):
    lam = np.random.beta(alpha, alpha)
    j = torch.randperm(len(x))
    t = torch.nn.functional.one_hot(y, 10).float()
    return lam * x + (1 - lam) * x[j], lam * t + (1 - lam) * t[j]


for epoch in range(EPOCHS):
    net.train()
    run = 0.0
    for x, y in train_dl:
        xm, soft = mix(x, y)
        loss = criterion(net(xm), soft)      # probabilities as targets
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        run += loss.item()
    net.eval()
    with torch.no_grad():
        out = net(Xt)
        acc = (out.argmax(1) == Yt).float().mean().item()
    print(f"epoch {epoch}: train loss {run / len(train_dl):.3f} (never near 0: mixup+smoothing) test acc {acc:.3f}")
