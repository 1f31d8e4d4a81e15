import numpy as np
import torch
from sklearn.model_selection import train_test_split
from torch import nn

rng = np.random.default_rng(1)
wool = rng.normal(size=(160, 6))
breed = (wool[:, 0] + wool[:, 1] * wool[:, 2] + rng.normal(0, 0.25, 160) > 0).astype(int)
x, xt, y, yt = train_test_split(wool, breed, test_size=0.25, stratify=breed, random_state=5)
x, xt = torch.tensor(x).float(), torch.tensor(xt).float()
y, yt = torch.tensor(y), torch.tensor(yt)
torch.manual_seed(5)
net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=1e-3)
for epoch in range(1, 31):
    for rows in torch.randperm(len(x)).split(20):
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 6 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
