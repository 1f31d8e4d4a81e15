# The data does not fit: the full-batch gradient is collected over all chunks, ONE update per epoch.
import torch
from torch import nn
from sklearn.datasets import make_friedman1

torch.manual_seed(0)
X, y = make_friedman1(1200, 10, noise=0.5, random_state=0)
X = torch.tensor(X).float(); y = torch.tensor((y - y.mean()) / y.std()).float()
model = nn.Sequential(nn.Linear(10, 64), nn.Tanh(), nn.Linear(64, 1))
optim = torch.optim.Adam(model.parameters(), lr=2e-2)
for epoch in range(120):
    optim.zero_grad()
    total = 0.0
    for xb, yb in zip(X[:1000].split(125), y[:1000].split(125)):
        part = ((model(xb).squeeze(1) - yb) ** 2).sum() / 1000
        part.backward()
        total += part.item()
    optim.step()
    if epoch % 20 == 19:
        with torch.no_grad():
            v = ((model(X[1000:]).squeeze(1) - y[1000:]) ** 2).mean()
        print(f"{epoch} loss {total:.4f} val {v:.4f}")
