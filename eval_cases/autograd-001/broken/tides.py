# next water level of a harbour gauge from the last 18 hours
import numpy as np
import torch

from cell import Reader

torch.manual_seed(30)
hours = np.arange(900)
level = np.sin(2 * np.pi * hours / 12.42) + 0.4 * np.sin(2 * np.pi * hours / 24) + 0.05 * np.random.default_rng(3).normal(size=900)
windows = np.lib.stride_tricks.sliding_window_view(level.astype("float32"), 19)
x = torch.tensor(windows[:, :-1, None])
y = torch.tensor(windows[:, -1])
x_fit, y_fit, x_late, y_late = x[:700], y[:700], x[700:], y[700:]

reader = Reader(1, 20)
opt = torch.optim.Adam(reader.parameters(), lr=6e-3)
for epoch in range(6):
    for rows in torch.randperm(len(x_fit)).split(50):
        opt.zero_grad()
        loss = torch.nn.functional.huber_loss(reader(x_fit[rows]), y_fit[rows])
        loss.backward()
        opt.step()
    print(f"epoch {epoch}: {loss.item():.4f}")

with torch.no_grad():
    rmse = (reader(x_late) - y_late).square().mean().sqrt()
print(f"late rmse {rmse:.3f} m (level spread {y_late.std():.3f} m)")
