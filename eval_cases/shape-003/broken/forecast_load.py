import numpy as np
import torch
from torch import nn
from torch.optim import Adam as A

rng = np.random.default_rng(9)
torch.manual_seed(9)

# hourly load of the substation, in MW
hours = np.arange(24 * 120)
load = (40 + 9 * np.sin(2 * np.pi * hours / 24)
        + 4 * np.sin(2 * np.pi * hours / 168 + 1.0)
        + 1.5 * np.sin(4 * np.pi * hours / 24)
        + rng.normal(0, 0.8, hours.size))

WINDOW = 36
split = int(0.8 * load.size)
mu, sigma = load[:split].mean(), load[:split].std()
z = (load - mu) / sigma


def windows(series):
    view = np.lib.stride_tricks.sliding_window_view(series, WINDOW + 1)
    past, future = view[:, :-1].copy(), view[:, -1].copy()
    return torch.from_numpy(past).unsqueeze(-1), torch.from_numpy(future)


x_tr, y_tr = windows(z[:split])
x_va, y_va = windows(z[split:])
print("train windows", tuple(x_tr.shape), "valid windows", tuple(x_va.shape))


class LoadGRU(nn.Module):
    def __init__(self, units):
        super().__init__()
        self.gru = nn.GRU(1, units, batch_first=True)
        self.readout = nn.Linear(units, 1)

    def forward(self, x):
        _, last = self.gru(x)
        return self.readout(last[0]).squeeze(1)


m = LoadGRU(24)
opt = A(m.parameters(), lr=8e-3)
crit = nn.SmoothL1Loss()

for epoch in range(4):
    order = torch.randperm(len(x_tr))
    for chunk in order.chunk(40):
        opt.zero_grad()
        loss = crit(m(x_tr[chunk]), y_tr[chunk])
        loss.backward()
        opt.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")

m.eval()
with torch.no_grad():
    rmse = (m(x_va) - y_va).square().mean().sqrt().item() * sigma
naive = np.sqrt(np.mean(np.diff(load[split:]) ** 2))
print(f"valid RMSE {rmse:.2f} MW (same as last hour: {naive:.2f} MW)")
