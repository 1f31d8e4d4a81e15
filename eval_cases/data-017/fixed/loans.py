import pathlib

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def standard(frame, like):
    return (frame - like.mean()) / like.std()


frame = pd.read_csv(pathlib.Path(__file__).with_name("loans.csv")).sample(frac=1, random_state=1)
inputs, late = frame.drop(columns=["late"]), frame["late"]
scaled = standard(inputs, inputs.iloc[:650])
x = torch.tensor(scaled.to_numpy("float32"))
y = torch.tensor(late.to_numpy("float32"))

torch.manual_seed(1)
net = nn.Sequential(nn.Linear(x.shape[1], 16), nn.ReLU(), nn.Linear(16, 1), nn.Flatten(0))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, 16):
    for bx, by in DataLoader(TensorDataset(x[:650], y[:650]), 50, shuffle=True):
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(net(bx), by)
        loss.backward()
        optimizer.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {((net(x[650:]) > 0) == (y[650:] > 0.5)).float().mean().item():.3f}")
