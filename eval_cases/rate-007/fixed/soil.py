# Soil moisture from four cheap probes. Every plot was measured twice in the lab,
# so the spread of the lab values themselves is known.
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

rng = np.random.default_rng(33)
torch.manual_seed(33)

N = 1600
probes = rng.uniform(-1, 1, (N, 4))
moisture = 1.1 * np.sin(2.5 * probes[:, 0]) + 0.9 * probes[:, 1] * probes[:, 2] + 0.6 * probes[:, 3]
lab_a = moisture + rng.normal(0, 1.0, N)
lab_b = moisture + rng.normal(0, 1.0, N)
lab_variance = np.var(lab_a - lab_b) / 2

X = torch.tensor(probes, dtype=torch.float32)
Y = torch.tensor(lab_a, dtype=torch.float32).unsqueeze(1)
X_train, Y_train, X_test, Y_test = X[:1200], Y[:1200], X[1200:], Y[1200:]
truth = torch.tensor(moisture[1200:], dtype=torch.float32).unsqueeze(1)

loader = DataLoader(TensorDataset(X_train, Y_train), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(4, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [10, 13], gamma=0.2)
mse = nn.MSELoss()


def r2(pred, y):
    return (1 - (pred - y).pow(2).sum() / (y - y.mean()).pow(2).sum()).item()


for epoch in range(15):
    model.train()
    losses = []
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = mse(model(xb), yb)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    scheduler.step()
    if epoch % 2 == 0:
        print(f"epoch {epoch:2d}  loss {np.mean(losses):.3f}  (batches from {min(losses):.2f} to {max(losses):.2f})")

model.eval()
with torch.no_grad():
    pred = model(X_test)
print(f"test loss {mse(pred, Y_test).item():.3f}, variance between the two lab values {lab_variance:.3f}")
print(f"R2 against one lab value {r2(pred, Y_test):.3f}, against the real moisture {r2(pred, truth):.3f}")
