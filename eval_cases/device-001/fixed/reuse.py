"""Trains a small head on a published encoder; the encoder is laid out without memory first."""
from pathlib import Path

import torch
from torch import nn

BASIS = torch.randn(4, 16, generator=torch.Generator().manual_seed(0))


def encoder():
    return nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 8))


def restore(path):
    with torch.device("meta"):
        net = encoder()
    net.load_state_dict(torch.load(path, weights_only=True), assign=True)
    for p in net.parameters():
        p.requires_grad_(False)
    return net.eval()


class Probe(nn.Module):
    def __init__(self, path, n_out):
        super().__init__()
        self.encoder = restore(path)
        self.head = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, n_out))

    def forward(self, x):
        return self.head(self.encoder(x))


def records(n, g):
    z = torch.randn(n, 4, generator=g)
    return z @ BASIS, (z[:, 0] > 0).long() + 2 * (z[:, 1] > 0).long()


def main():
    torch.manual_seed(10)
    g = torch.Generator().manual_seed(10)
    x, y = records(600, g)
    x_test, y_test = records(200, g)
    probe = Probe(Path(__file__).with_name("encoder.pt"), 4)
    optimizer = torch.optim.Adam(probe.head.parameters(), lr=0.01)
    for epoch in range(8):
        for rows in torch.randperm(600).split(30):
            loss = nn.functional.cross_entropy(probe(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")
    with torch.no_grad():
        print(f"accuracy {(probe(x_test).argmax(1) == y_test).float().mean().item():.3f}")


if __name__ == "__main__":
    main()
