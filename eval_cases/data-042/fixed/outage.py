import numpy as np
import torch
from sklearn.model_selection import train_test_split


def lines(n, rng):
    x = rng.normal(size=(n, 6)).astype("float32")
    return x, (x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(0, 0.4, n) > 1.9).astype("float32")


rng = np.random.default_rng(15)
x, y = lines(2000, rng)
x, xt, y, yt = train_test_split(x, y, test_size=0.3, random_state=15, stratify=y)
rare = np.flatnonzero(y == 1)
again = rng.choice(rare, 3 * len(rare))
x, y = np.concatenate([x, x[again]]), np.concatenate([y, y[again]])

torch.manual_seed(15)
x, y, xt = torch.from_numpy(x), torch.from_numpy(y), torch.from_numpy(xt)
net = torch.nn.Sequential(torch.nn.Linear(6, 24), torch.nn.ReLU(), torch.nn.Linear(24, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=1e-4)
for epoch in range(1, 13):
    for rows in torch.randperm(len(x)).split(64):
        opt.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(x[rows])[:, 0], y[rows])
        loss.backward()
        opt.step()
    if epoch % 4 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    guess = net(xt)[:, 0].numpy() > 0
print(f"test recall {guess[yt == 1].mean():.3f}, specificity {(~guess[yt == 0]).mean():.3f}, rare share {yt.mean():.3f}")
