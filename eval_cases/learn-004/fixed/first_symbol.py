import argparse

import torch
from torch import nn


def strips(n, length):
    kind = torch.randint(0, 4, (n,))
    x = 0.3 * torch.randn(n, length, 4)
    x[:, 0] += 2 * nn.functional.one_hot(kind, 4)
    return x, kind


class Reader(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.RNN(4, hidden, batch_first=True)
        nn.init.orthogonal_(self.rnn.weight_hh_l0)
        self.head = nn.Linear(hidden, 4)

    def forward(self, x):
        return self.head(self.rnn(x)[1][0])


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--length", type=int, default=30)
    cli.add_argument("--steps", type=int, default=250)
    args = cli.parse_args()
    torch.manual_seed(0)
    reader = Reader(32)
    opt = torch.optim.Adam(reader.parameters(), lr=2e-3)
    for step in range(1, args.steps + 1):
        x, kind = strips(32, args.length)
        loss = nn.functional.cross_entropy(reader(x), kind)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.3f}")
    x, kind = strips(400, args.length)
    with torch.no_grad():
        print(f"accuracy {(reader(x).argmax(1) == kind).float().mean().item():.3f}")


main()
