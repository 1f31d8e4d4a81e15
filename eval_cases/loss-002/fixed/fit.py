import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from model import WineNet

torch.manual_seed(3)


class History:
    def __init__(self, every):
        self.every, self.rows = every, []

    def on_epoch_end(self, epoch, **values):
        self.rows.append(values)
        if epoch % self.every == 0:
            print(f"[{epoch:02d}] " + "  ".join(f"{k}={v:.4f}" for k, v in values.items()))


def load():
    X, y = load_wine(return_X_y=True)
    parts = train_test_split(X, y, test_size=0.3, stratify=y, random_state=3)
    Xtr, Xte = (torch.tensor(p, dtype=torch.float32) for p in parts[:2])
    ytr, yte = (torch.tensor(p) for p in parts[2:])
    mu, sd = Xtr.mean(0), Xtr.std(0)
    return (Xtr - mu) / sd, (Xte - mu) / sd, ytr, yte


def evaluate(net, loss_fn, X, y):
    net.eval()
    with torch.no_grad():
        out = net(X)
        return loss_fn(out, y).item(), (out.argmax(1) == y).float().mean().item()


def fit(net, loader, loss_fn, opt, epochs, held_out, callbacks):
    for epoch in range(1, epochs + 1):
        net.train()
        total = 0.0
        for xb, yb in loader:
            loss = loss_fn(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        val_loss, val_acc = evaluate(net, loss_fn, *held_out)
        for cb in callbacks:
            cb.on_epoch_end(epoch, train_nll=total / len(loader.dataset), val_nll=val_loss, val_acc=val_acc)


if __name__ == "__main__":
    Xtr, Xte, ytr, yte = load()
    net = WineNet(Xtr.shape[1], 3)
    loader = DataLoader(TensorDataset(Xtr, ytr), batch_size=16, shuffle=True)
    history = History(every=10)
    fit(net, loader, nn.NLLLoss(), torch.optim.RMSprop(net.parameters(), lr=2e-3),
        epochs=40, held_out=(Xte, yte), callbacks=[history])
    print("held-out nll {val_nll:.4f}, accuracy {val_acc:.3f}".format(**history.rows[-1]))
