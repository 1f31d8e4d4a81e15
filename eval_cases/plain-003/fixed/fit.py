# logistic regression, full batch, strongly convex -> LBFGS in double precision
import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

torch.set_default_dtype(torch.float64)
X, y = load_breast_cancer(return_X_y=True)
idx = np.random.default_rng(0).permutation(len(y))
X, y = X[idx], y[idx]
sc = StandardScaler().fit(X[:400])
Xtr, Xte = torch.tensor(sc.transform(X[:400])), torch.tensor(sc.transform(X[400:]))
ytr, yte = torch.tensor(y[:400]).double(), torch.tensor(y[400:]).double()

w = torch.zeros(30, requires_grad=True)   # zero start is fine: the problem is convex
b = torch.zeros((), requires_grad=True)
opt = torch.optim.LBFGS([w, b], lr=1, max_iter=10, history_size=10, line_search_fn="strong_wolfe")
history = []


def objective():
    z = Xtr @ w + b
    return torch.nn.functional.softplus(-(2 * ytr - 1) * z).mean() + 1e-3 * w.square().sum()


def closure():
    opt.zero_grad()
    loss = objective()
    loss.backward()
    history.append(float(loss))
    return loss


for it in range(12):
    loss = opt.step(closure)
    with torch.no_grad():
        acc = (((Xte @ w + b) > 0) == (yte > 0.5)).double().mean().item()
    print(f"outer {it:2d}  loss {float(loss):.6f}  |g| {w.grad.norm():.2e}  test acc {acc:.3f}")

print("closure calls:", len(history), "first", history[0], "last", history[-1])
