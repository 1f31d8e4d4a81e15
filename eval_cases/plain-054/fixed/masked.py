"""Targets with many missing values (NaN on purpose); the loss ignores them. CE with ignore_index as a second task."""
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
import torch.nn.functional as F

rng = np.random.default_rng(0)
n = 2000
df = pd.DataFrame(rng.normal(size=(n, 6)), columns=list("abcdef"))
df["t1"] = df.a * df.b + 0.1 * rng.normal(size=n)
df["t2"] = np.abs(df.c) - df.d
df["k"] = np.digitize(df.e + df.f, [-0.7, 0.7])
df.loc[rng.random(n) < 0.4, "t1"] = np.nan
df.loc[rng.random(n) < 0.4, "t2"] = np.nan
df.loc[rng.random(n) < 0.5, "k"] = -100
x = torch.tensor(df[list("abcdef")].values, dtype=torch.float32)
t = torch.tensor(df[["t1", "t2"]].values, dtype=torch.float32)
k = torch.tensor(df.k.values.astype("int64"))
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 5))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)


def parts(o, t, k):
    m = ~torch.isnan(t)
    reg = (o[:, :2] - t)[m].pow(2).mean()
    return reg, F.cross_entropy(o[:, 2:], k, ignore_index=-100)


for ep in range(15):
    for i in torch.randperm(1600).split(50):
        a, b = parts(net(x[i]), t[i], k[i])
        loss = a + b
        opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        a, b = parts(net(x[1600:]), t[1600:], k[1600:])
    if ep % 3 == 2: print(f"{ep} train {loss.item():.4f} val mse {a.item():.4f} val ce {b.item():.4f}")
