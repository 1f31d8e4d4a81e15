"""Stock planning: forecast the 80 % level of next day's sales."""
import sys

import numpy as np
import torch

from losses import pinball
from model import Forecaster

Q = 0.8
PAST = 21


def sales(days, rng):
    t = np.arange(days)
    week = np.array([0.0, -4, -3, 0, 5, 12, 9])[t % 7]
    season = 10 * np.sin(2 * np.pi * t / 90)
    return 50 + week + season + rng.exponential(3.0, days)


def cut(series):
    w = torch.tensor(series, dtype=torch.float32).unfold(0, PAST + 1, 1)
    return w[:, :PAST], w[:, PAST]


def score(net, x, y):
    net.eval()
    with torch.no_grad():
        f = net(x).reshape(-1).numpy()
    net.train()
    d = y.numpy() - f
    return float(np.mean(np.maximum(Q * d, (Q - 1) * d))), float(np.mean(d <= 0))


def main(seed=4, steps=500, batch=64):
    torch.manual_seed(seed)
    raw = sales(1500, np.random.default_rng(seed))
    scaled = (raw - raw[:1200].mean()) / raw[:1200].std()
    x, y = cut(scaled[:1200])
    xv, yv = cut(scaled[1200:])
    net = Forecaster()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for step in range(steps + 1):
        pick = torch.randint(0, len(x), (batch,))
        loss = pinball(net(x[pick]), y[pick], q=Q)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.4f}", file=sys.stdout)
    cost, cover = score(net, xv, yv)
    flat = np.quantile(y.numpy(), Q) - yv.numpy()
    ref = float(np.mean(np.maximum(-Q * flat, (1 - Q) * flat)))
    print(f"coverage {cover:.2f}; cost of a constant stock {ref:.4f}, cost of the forecast {cost:.4f}")


if __name__ == "__main__":
    main()
