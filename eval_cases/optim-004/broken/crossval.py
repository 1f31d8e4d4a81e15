#!/usr/bin/env python3
import copy

import numpy as np
import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler


def build(n_in, n_out):
    return torch.nn.Sequential(
        torch.nn.Linear(n_in, 32),
        torch.nn.LeakyReLU(),
        torch.nn.Linear(32, 16),
        torch.nn.LeakyReLU(),
        torch.nn.Linear(16, n_out),
    )


def fit_fold(base, x, y, epochs, lr, batch):
    # every fold starts from the same initial weights
    model = copy.deepcopy(base)
    optimiser = torch.optim.RMSprop(base.parameters(), lr=lr)
    criterion = torch.nn.CrossEntropyLoss()
    history = []
    for _ in range(epochs):
        losses = []
        for chunk in np.array_split(np.random.permutation(len(x)), max(1, len(x) // batch)):
            model.zero_grad()
            loss = criterion(model(x[chunk]), y[chunk])
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
        history.append(float(np.mean(losses)))
    return model, history


def score(model, x, y):
    model.eval()
    with torch.inference_mode():
        return (model(x).argmax(dim=1) == y).float().mean().item()


def main():
    np.random.seed(7)
    torch.manual_seed(7)
    features, labels = load_wine(return_X_y=True)
    base = build(features.shape[1], 3)
    folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=7)
    scores = []
    for k, (tr, te) in enumerate(folds.split(features, labels)):
        scaler = StandardScaler().fit(features[tr])
        xtr = torch.tensor(scaler.transform(features[tr]), dtype=torch.float32)
        xte = torch.tensor(scaler.transform(features[te]), dtype=torch.float32)
        ytr, yte = torch.as_tensor(labels[tr]), torch.as_tensor(labels[te])
        model, history = fit_fold(base, xtr, ytr, epochs=25, lr=2e-3, batch=16)
        scores.append(score(model, xte, yte))
        print(f"fold {k}: loss {history[0]:.3f} -> {history[-1]:.3f}, accuracy {scores[-1]:.3f}")
    print(f"mean accuracy over folds: {np.mean(scores):.3f}")


if __name__ == "__main__":
    main()
