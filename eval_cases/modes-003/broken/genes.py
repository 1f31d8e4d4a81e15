import argparse
import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.preprocessing import scale


def data(seed):
    x, y = make_classification(n_samples=900, n_features=80, n_informative=10, n_redundant=0, n_clusters_per_class=1,
                               class_sep=0.9, flip_y=0.12, random_state=seed)
    x, y = torch.tensor(scale(x), dtype=torch.float32), torch.tensor(y, dtype=torch.float32)
    return x[:200], y[:200], x[200:], y[200:]


def network(n_in, width, p):
    return nn.Sequential(
        nn.Dropout(p / 2), nn.Linear(n_in, width), nn.ReLU(), nn.Dropout(p),
        nn.Linear(width, width), nn.ReLU(), nn.Dropout(p), nn.Linear(width, 1), nn.Flatten(0),
    )


def validation_loss(model, x, y, loss_fn):
    model.eval()
    with torch.no_grad():
        out = model(x)
    return loss_fn(out, y).item(), ((out > 0) == (y > 0.5)).float().mean().item()


def fit(args):
    torch.manual_seed(args.seed)
    x, y, xv, yv = data(args.seed)
    model = network(x.shape[1], args.width, args.dropout)
    loss_fn = nn.BCEWithLogitsLoss()
    optim = torch.optim.Adam(model.parameters(), lr=args.lr)
    model.train()
    for epoch in range(args.epochs):
        for batch in torch.randperm(len(x)).chunk(5):
            optim.zero_grad()
            loss = loss_fn(model(x[batch]), y[batch])
            loss.backward()
            optim.step()
        val, acc = validation_loss(model, xv, yv, loss_fn)
        if epoch % 10 == 9:
            print(f"epoch {epoch + 1:3d}: train {loss.item():.3f}  validation {val:.3f}  accuracy {acc:.3f}")
    print(f"validation loss after training: {val:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description="Disease status from a gene panel")
    ap.add_argument("--width", type=int, default=128)
    ap.add_argument("--dropout", type=float, default=0.7)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--epochs", type=int, default=50)
    ap.add_argument("--seed", type=int, default=19)
    fit(ap.parse_args())
