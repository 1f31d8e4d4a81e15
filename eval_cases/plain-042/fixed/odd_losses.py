"""Four right ways to train a classifier that look like mistakes."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_wine

X, y = load_wine(return_X_y=True)
X = torch.tensor((X - X.mean(0)) / X.std(0)).float(); y = torch.tensor(y)
Y1 = F.one_hot(y, 3).float()


def ce_on_log_probs(z):                       # log_softmax is idempotent, so this equals CE on logits
    return F.cross_entropy(F.log_softmax(z, 1), y)


def nll_on_probs(z):                          # probabilities, then their log
    return F.nll_loss(torch.log(z.softmax(1) + 1e-8), y)


def brier(z):                                 # softmax + squared error: the Brier score
    return (z.softmax(1) - Y1).pow(2).sum(1).mean()


def one_vs_rest(z):                           # C independent logits
    return F.binary_cross_entropy_with_logits(z, Y1) * 3


for fn in (ce_on_log_probs, nll_on_probs, brier, one_vs_rest):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    for it in range(80):
        opt.zero_grad()
        loss = fn(net(X))
        if it == 0: first = loss.item()
        loss.backward()
        opt.step()
    print(f"{fn.__name__}: {first:.3f} -> {loss.item():.4f}, acc {(net(X).argmax(1) == y).float().mean():.3f}")
