import json
import pathlib

import numpy as np
import torch

here = pathlib.Path(__file__).resolve().parent
raw = np.loadtxt(here / "kiln.csv", delimiter=",", skiprows=1)
stats = {k: np.asarray(v) for k, v in json.loads((here / "scaling.json").read_text()).items()}


def prepare(rows):
    x = (rows[:, :-1] - stats["mean"]) / stats["std"]
    y = (rows[:, -1:] - 32.0) / 3.0
    return torch.from_numpy(np.hstack([x, y])).float()


torch.manual_seed(0)
train, test = prepare(raw[:320]), prepare(raw[320:])
w1 = torch.nn.Parameter(torch.randn(train.shape[1] - 1, 32) * 0.3)
b1 = torch.nn.Parameter(torch.zeros(32))
w2 = torch.nn.Parameter(torch.randn(32, 1) * 0.2)
b2 = torch.nn.Parameter(torch.zeros(1))


def predict(x):
    return torch.tanh(x @ w1 + b1) @ w2 + b2


opt = torch.optim.Adam([w1, b1, w2, b2], lr=0.01, weight_decay=1e-3)
for epoch in range(60):
    for part in train[torch.randperm(len(train))].split(32):
        loss = (predict(part[:, :-1]) - part[:, -1:]).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 20 == 19:
        print(f"epoch {epoch + 1}, train mse {loss.item():.4f}")

with torch.no_grad():
    error = predict(test[:, :-1]) - test[:, -1:]
print(f"brick strength: test rmse {3 * error.square().mean().sqrt():.2f} MPa, spread {3 * test[:, -1].std():.2f} MPa")
