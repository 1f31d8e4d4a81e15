import argparse

import torch
from torch import nn
from torch.nn import functional as F


def tiles(n, g):
    shape = torch.randint(0, 4, (n,), generator=g)
    colour = torch.randint(0, 3, (n,), generator=g)
    base = torch.Generator().manual_seed(77)
    a, b = torch.randn(4, 16, generator=base), torch.randn(3, 16, generator=base)
    return a[shape] + b[colour] + 0.5 * torch.randn(n, 16, generator=g), {"shape": shape, "colour": colour}


class TwoHeads(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(16, width), nn.ReLU())
        self.heads = nn.ModuleDict({"shape": nn.Linear(width, 4), "colour": nn.Linear(width, 3)})

    def forward(self, x):
        h = self.trunk(x)
        return {name: head(h) for name, head in self.heads.items()}


def objective(out, labels):
    loss = 0.0
    for name, logits in out.items():
        loss = loss + F.cross_entropy(logits, labels[name])
    return loss


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--width", type=int, default=48)
    ap.add_argument("--epochs", type=int, default=12)
    args = ap.parse_args()
    torch.manual_seed(6)
    g = torch.Generator().manual_seed(15)
    x, labels = tiles(1200, g)
    xt, test = tiles(400, g)
    model = TwoHeads(args.width)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        for idx in torch.randperm(len(x)).split(64):
            opt.zero_grad()
            loss = objective(model(x[idx]), {k: v[idx] for k, v in labels.items()})
            loss.backward()
            opt.step()
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1} loss {loss.item():.3f}")
    with torch.no_grad():
        out = model(xt)
    acc = {k: (out[k].argmax(1) == test[k]).float().mean().item() for k in out}
    print(" ".join(f"{k} {v:.3f}" for k, v in acc.items()), f"worst {min(acc.values()):.3f}")


main()
