import argparse
import tomllib
from pathlib import Path
from types import SimpleNamespace

import torch
from torch import nn


def read_config(path):
    raw = tomllib.loads(Path(path).read_text())
    return SimpleNamespace(**{name: SimpleNamespace(**part) for name, part in raw.items()})


class Denoiser(nn.Module):
    def __init__(self, channels, levels):
        super().__init__()
        self.lift = nn.Conv1d(1, channels, 5, padding=2)
        self.levels = nn.ModuleList(nn.Conv1d(channels, channels, 5, padding=2) for _ in range(levels))
        self.drop = nn.Conv1d(channels, 1, 1)

    def forward(self, x):
        h = torch.relu(self.lift(x))
        for level in self.levels:
            h = h + torch.relu(level(h))
        return x - self.drop(h)


def signals(n, device):
    t = torch.linspace(0, 6.2832, 48, device=device)
    clean = torch.sin(torch.rand(n, 1, 1, device=device) * 3 * t + 6.2832 * torch.rand(n, 1, 1, device=device))
    return clean + 0.4 * torch.randn_like(clean), clean


def main(conf):
    torch.manual_seed(conf.train.seed)
    device = torch.device(conf.machine.device)
    model = Denoiser(conf.model.channels, conf.model.levels).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=conf.train.lr)
    for step in range(conf.train.steps):
        noisy, clean = signals(conf.train.batch, device)
        loss = nn.functional.mse_loss(model(noisy), clean)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 30 == 0:
            print(f"[{step:3d}] {loss.item():.4f}")
    with torch.no_grad():
        noisy, clean = signals(200, device)
        before, after = ((v - clean).square().mean().item() for v in (noisy, model(noisy)))
    print(f"noise power {before:.3f} -> {after:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-c", "--config", default=Path(__file__).with_name("config.toml"))
    main(read_config(parser.parse_args().config))
