import torch
from sklearn.datasets import load_digits
from torch import nn


def digits(classes, n, seed):
    bunch = load_digits()
    keep = torch.tensor([int(t) in classes for t in bunch.target])
    x = torch.tensor(bunch.data, dtype=torch.float32)[keep] / 8 - 0.6
    y = torch.tensor([classes.index(int(t)) for t in bunch.target if int(t) in classes])
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    x, y = x[order], y[order]
    return (x[:n], y[:n]), (x[n:], y[n:])


def make_backbone():
    return nn.Sequential(nn.Linear(64, 160), nn.ReLU(), nn.Linear(160, 120), nn.ReLU())


def pretrain(backbone, data, epochs=6):
    """Source task: the digits 0 to 5."""
    head = nn.Linear(120, 6)
    opt = torch.optim.Adam([*backbone.parameters(), *head.parameters()], lr=2e-3)
    x, y = data
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(64):
            opt.zero_grad()
            nn.functional.cross_entropy(head(backbone(x[rows])), y[rows]).backward()
            opt.step()


def finetune(backbone, head, data, epochs=40):
    """Target task: the digits 6 to 9, few examples, head only."""
    backbone.eval()
    for p in backbone.parameters():
        p.requires_grad_(False)
    opt = torch.optim.Adam(head.parameters(), lr=0.01)
    x, y = data
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(x)).split(20):
            with torch.no_grad():
                features = backbone(x[rows])
            loss = nn.functional.cross_entropy(head(features), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        if epoch % 10 == 9:
            print(f"head epoch {epoch + 1}: loss {total / len(x):.4f}")


def main():
    torch.manual_seed(40)
    source, _ = digits([0, 1, 2, 3, 4, 5], 1000, seed=1)
    target, held = digits([6, 7, 8, 9], 300, seed=2)
    backbone, head = make_backbone(), nn.Linear(120, 4)
    pretrain(backbone, source)
    finetune(backbone, head, target)
    with torch.no_grad():
        acc = (head(backbone(held[0])).argmax(1) == held[1]).float().mean().item()
    print(f"accuracy on unseen 6-9: {acc:.3f}")


main()
