# ruff: noqa: NPY002 -- the legacy stream is the one that users seed
"""Logistic regression in plain NumPy."""

from __future__ import annotations

import random

import numpy as np
from streams import print_state

random.seed(7)
np.random.seed(7)
x = np.random.randn(200, 4)
y = (x @ np.array([1.0, -1.0, 0.5, 0.0]) > 0).astype(float)
w = np.zeros(4)

for epoch in range(50):
    order = np.random.permutation(len(x))
    random.shuffle(rows := list(order))
    p = 1 / (1 + np.exp(-(x[rows] @ w)))
    loss = -np.mean(y[rows] * np.log(p + 1e-12) + (1 - y[rows]) * np.log(1 - p + 1e-12))
    w -= 0.5 * x[rows].T @ (p - y[rows]) / len(rows)
    if epoch % 10 == 0:
        print(epoch, float(loss))

print_state([w])
