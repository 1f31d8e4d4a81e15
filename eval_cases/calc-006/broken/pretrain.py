import sys
import tomllib

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


def views(pictures, noise):
    keep = (torch.rand_like(pictures) > 0.2).float()
    return pictures * keep + noise * torch.randn_like(pictures)


class Encoder(nn.Module):
    def __init__(self, hidden, code):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, hidden), nn.ReLU(), nn.Linear(hidden, code))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def pair_loss(a, b, temperature):
    likeness = torch.exp(a @ b.T / temperature)
    own = likeness.diagonal()
    return -torch.log(own / likeness.sum(1)).mean()


def neighbours(code, label, n_train):
    """share of test pictures whose nearest training picture has the same label"""
    nearest = (code[n_train:] @ code[:n_train].T).argmax(1)
    return (label[:n_train][nearest] == label[n_train:]).float().mean().item()


def main(path):
    with open(path, "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(cfg["run"]["seed"])
    digits = load_digits()
    order = torch.randperm(len(digits.data))
    x = torch.tensor(digits.data, dtype=torch.float32)[order] / 16
    label = torch.tensor(digits.target)[order]
    n_train = 1400
    encoder = Encoder(**cfg["encoder"])
    opt = torch.optim.Adam(encoder.parameters(), lr=cfg["run"]["lr"])
    for epoch in range(cfg["run"]["epochs"]):
        total, steps = 0.0, 0
        for rows in torch.randperm(n_train).split(cfg["run"]["batch"]):
            a, b = (encoder(views(x[rows], cfg["views"]["noise"])) for _ in range(2))
            loss = pair_loss(a, b, cfg["loss"]["temperature"])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, steps = total + loss.item(), steps + 1
        print(f"epoch {epoch + 1}: contrastive loss {total / steps:.4f}")
    with torch.no_grad():
        print(f"loss {total / steps:.4f}, nearest neighbour has the same digit: {neighbours(encoder(x), label, n_train):.3f}")


main(sys.argv[1] if len(sys.argv) > 1 else "pretrain.toml")
