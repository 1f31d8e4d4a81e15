import sys
import tomllib
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, length):
        self.series, self.length = series, length

    def __len__(self):
        return len(self.series) - self.length

    def __getitem__(self, k):
        return self.series[k:k + self.length], self.series[k + self.length]


def electricity(hours, seed):
    t = np.arange(hours)
    g = np.random.default_rng(seed)
    load = 5 + 2 * np.sin(2 * np.pi * t / 24) + np.sin(2 * np.pi * t / 168 + 1)
    load += 0.8 * np.maximum(0, np.sin(2 * np.pi * t / 12)) + g.normal(0, 0.15, hours)
    return load


class Forecaster(torch.nn.Module):
    def __init__(self, length, hidden):
        super().__init__()
        self.inner = torch.nn.Linear(length, hidden)
        self.outer = torch.nn.Linear(hidden, 1)

    def forward(self, w):
        return self.outer(torch.nn.functional.gelu(self.inner(w))).squeeze(1)


def train(cfg):
    torch.manual_seed(cfg["run"]["seed"])
    series = electricity(cfg["data"]["hours"], cfg["run"]["seed"])
    split = int(len(series) * 0.8)
    mean, std = series[:split].mean(), series[:split].std()
    z = torch.tensor((series - mean) / std, dtype=torch.float32)
    size = cfg["data"]["window"]
    loader = DataLoader(Windows(z[:split], size), batch_size=cfg["train"]["batch_size"], shuffle=True, drop_last=True)
    valid = DataLoader(Windows(z[split:], size), batch_size=512)

    model = Forecaster(size, cfg["model"]["hidden"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["train"]["lr"], weight_decay=1e-4)
    accumulate = cfg["train"]["accumulate"]
    for epoch in range(cfg["train"]["epochs"]):
        opt.zero_grad()
        losses = []
        for i, (w, target) in enumerate(loader):
            loss = torch.nn.functional.smooth_l1_loss(model(w), target)
            (loss / accumulate).backward()
            losses.append(loss.item())
            if (i + 1) % accumulate == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                opt.zero_grad()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:3d}/{cfg['train']['epochs']}  loss {np.mean(losses):.4f}")

    with torch.no_grad():
        sq = torch.cat([(model(w) - target) ** 2 for w, target in valid])
    print(f"validation rmse {sq.mean().sqrt().item() * std:.3f} MW, spread of the load {std:.3f} MW")


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("forecast.toml")
    train(tomllib.loads(path.read_text()))
