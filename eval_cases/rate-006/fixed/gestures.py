"""Recognises five hand movements from two accelerometer axes."""
import configparser
import math
from pathlib import Path

import torch
import torch.nn as nn


def record(n, length, noise):
    t = torch.linspace(0, 2 * math.pi, length).expand(n, length)
    kind = torch.randint(0, 5, (n,))
    shift = 2 * math.pi * torch.rand(n, 1)
    speed = 1 + 0.15 * torch.randn(n, 1)
    s = speed * t + shift
    shapes = torch.stack([
        torch.stack([s.cos(), s.sin()], -1),
        torch.stack([s.cos(), -s.sin()], -1),
        torch.stack([s.sin(), s.sin()], -1),
        torch.stack([s.sin(), -s.sin()], -1),
        torch.stack([s.sin(), (2 * s).sin()], -1),
    ])
    clean = shapes[kind, torch.arange(n)]
    return clean + noise * torch.randn_like(clean), kind


class GestureNet(nn.Module):
    def __init__(self, units, kinds=5):
        super().__init__()
        self.rnn = nn.GRU(2, units, batch_first=True)
        self.norm = nn.LayerNorm(units)
        self.out = nn.Linear(units, kinds)

    def forward(self, x):
        steps, _ = self.rnn(x)
        return self.out(self.norm(steps.mean(dim=1)))


def main():
    ini = configparser.ConfigParser()
    ini.read(Path(__file__).with_suffix(".ini"))
    data, optim = ini["data"], ini["optim"]
    torch.manual_seed(ini.getint("misc", "seed"))

    x, y = record(data.getint("samples"), data.getint("length"), data.getfloat("noise"))
    n = int(0.8 * len(x))
    net = GestureNet(ini.getint("model", "units"))
    adam = torch.optim.AdamW(net.parameters(), lr=optim.getfloat("learning_rate"),
                             weight_decay=optim.getfloat("weight_decay"))
    loss_fn = nn.CrossEntropyLoss()

    for epoch in range(optim.getint("epochs")):
        net.train()
        epoch_loss = 0.0
        for idx in torch.split(torch.randperm(n), optim.getint("batch")):
            adam.zero_grad()
            loss = loss_fn(net(x[idx]), y[idx])
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            adam.step()
            epoch_loss += loss.item() * len(idx) / n
        if epoch % 3 == 0:
            print(f"epoch {epoch}: loss {epoch_loss:.5f}")

    net.eval()
    with torch.no_grad():
        hit = (net(x[n:]).argmax(-1) == y[n:]).float().mean().item()
    print(f"loss {epoch_loss:.5f}, test accuracy {hit:.3f}")


if __name__ == "__main__":
    main()
