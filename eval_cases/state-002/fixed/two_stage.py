import io

import torch
from torch import nn


def curve(n, amplitude, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 1, generator=g) * 6 - 3
    return x, amplitude * torch.sin(2 * x) + 0.05 * torch.randn(n, 1, generator=g)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(1, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.out = nn.Linear(64, 1)

    def forward(self, x):
        return self.out(self.hidden(x))


class Stage:
    def __init__(self, name, model, optimizer):
        self.name, self.model, self.optimizer, self.step = name, model, optimizer, 0

    def run(self, x, y, steps):
        for _ in range(steps):
            rows = torch.randint(0, len(x), (64,))
            loss = (self.model(x[rows]) - y[rows]).square().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.step += 1
        print(f"{self.name}: step {self.step} loss {loss.item():.4f}")

    def save(self):
        store = io.BytesIO()
        torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "step": self.step}, store)
        store.seek(0)
        return store


def make():
    model = Net()
    return model, torch.optim.Adam(model.parameters(), lr=5e-3)


torch.manual_seed(40)
first = Stage("first", *make())
first.run(*curve(500, 1.0, seed=1), steps=250)
saved = first.save()

model, optimizer = make()
model.load_state_dict(torch.load(saved, weights_only=True)["model"])
second = Stage("second", model, optimizer)
second.run(*curve(100, 1.2, seed=2), steps=100)

x, y = curve(300, 1.2, seed=3)
with torch.no_grad():
    print(f"rmse after both stages {(model(x) - y).square().mean().sqrt().item():.3f}")
