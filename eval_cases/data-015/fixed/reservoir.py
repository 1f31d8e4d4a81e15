import numpy as np
import pandas as pd
import torch
from torch import nn


def journal(days, seed):
    """Two probes each day; the lab looks at a sample on every seventh day."""
    rng = np.random.default_rng(seed)
    state = np.zeros(days)
    rain = rng.gamma(1.0, 1.0, days)
    for k in range(1, days):
        state[k] = 0.93 * state[k - 1] + 0.5 * (rain[k] - 1)
    lab = pd.Series(state + rng.normal(0, 0.1, days)).where(np.arange(days) % 7 == 0)
    return pd.DataFrame({"rain": rain, "probe": state + rng.normal(0, 0.5, days), "lab": lab})


class Table:
    def __init__(self, days):
        frame = pd.DataFrame({"probe": days["probe"], "probe_mean": days["probe"].rolling(4).mean(), "rain_mean": days["rain"].rolling(4).mean()})
        frame["weekday"] = np.arange(len(days)) % 7 / 7
        frame["lab"] = days["lab"].ffill()
        frame["next_lab"] = days["lab"].bfill().shift(-1)
        frame = frame.dropna()
        self.cut = int(0.75 * len(frame))
        self.x = torch.tensor(frame.drop(columns="next_lab").to_numpy("float32"))
        self.y = torch.tensor(frame["next_lab"].to_numpy("float32"))


torch.manual_seed(5)
table = Table(journal(1500, seed=5))
x, y, cut = table.x, table.y, table.cut
net = nn.Sequential(nn.Linear(x.shape[1], 24), nn.SiLU(), nn.Linear(24, 1))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(1, 31):
    for rows in torch.randperm(cut).split(40):
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x[rows]).squeeze(1), y[rows])
        loss.backward()
        opt.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    miss = nn.functional.mse_loss(net(x[cut:]).squeeze(1), y[cut:]).item()
print(f"test mse {miss:.3f}, variance {y[cut:].var().item():.3f}")
