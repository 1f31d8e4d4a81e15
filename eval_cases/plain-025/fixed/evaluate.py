#!/usr/bin/env python
"""Evaluate a trained classifier. Nothing is trained here."""
import os

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.metrics import classification_report, log_loss

from net import get

model = get()
model.load_state_dict(torch.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "w.pt"), weights_only=True))
model.eval()
d = load_digits()
X, y = torch.tensor(d.data[1300:] / 16).float(), d.target[1300:]
probs = []
with torch.no_grad():
    for xb in X.split(64):
        probs.append(model(xb).softmax(dim=1).numpy())
probs = np.concatenate(probs)
print(classification_report(y, probs.argmax(1), digits=3))
print("accuracy", (probs.argmax(1) == y).mean(), "log loss", log_loss(y, probs.astype(float), labels=range(10)))
