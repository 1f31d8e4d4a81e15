import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Descriptor(nn.Module):
    def __init__(self, width=448):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(40, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.energy = nn.Linear(width, 1)

    def forward(self, x):
        return self.energy(self.body(x)).squeeze(1)


def molecules(n, rng):
    x = rng.normal(size=(n, 40))
    y = np.tanh(x[:, :5].sum(1)) + 0.5 * x[:, 5]
    return torch.tensor(x).float(), torch.tensor(y).float()


rng = np.random.default_rng(17)
torch.manual_seed(17)
train, test = molecules(1280, rng), molecules(256, rng)
model = Descriptor().float()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
loader = DataLoader(TensorDataset(*train), 128, shuffle=True)
for epoch in range(1, 7):
    begin = time.perf_counter()
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.4f}, {1000 * (time.perf_counter() - begin) / len(loader):.1f} ms a step")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(model(test[0]), test[1]).item():.3f}")
