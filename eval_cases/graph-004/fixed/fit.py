import pandas as pd
import torch
from sklearn.datasets import load_iris

from heads import MultiHead
from objective import WeightedSum

# Predict the petal from the sepal and the species of an iris.
FEATURES = ["sepal length (cm)", "sepal width (cm)"]
WEIGHTS = {"petal length (cm)": 1.0, "petal width (cm)": 2.0}


def table():
    bunch = load_iris(as_frame=True)
    frame = bunch.frame.copy()
    species = pd.get_dummies(frame.pop("target"), prefix="species").astype(float)
    frame = (frame - frame.mean()) / frame.std()
    return pd.concat([frame, species], axis=1).sample(frac=1.0, random_state=8)


def tensors(frame):
    columns = FEATURES + [c for c in frame.columns if c.startswith("species")]
    x = torch.tensor(frame[columns].to_numpy(), dtype=torch.float32)
    return x, {name: torch.tensor(frame[name].to_numpy(), dtype=torch.float32) for name in WEIGHTS}


def subset(truth, rows):
    return {k: v[rows] for k, v in truth.items()}


torch.manual_seed(8)
frame = table()
x, truth = tensors(frame.iloc[:110])
xv, tv = tensors(frame.iloc[110:])
model = MultiHead(x.shape[1], WEIGHTS)
objective = WeightedSum(WEIGHTS)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)

for epoch in range(1, 41):
    total = 0.0
    for rows in torch.randperm(len(x)).split(22):
        opt.zero_grad()
        loss = objective(model(x[rows]), subset(truth, rows))
        loss.backward()
        opt.step()
        total += loss.item()
    if epoch % 10 == 0:
        print(f"epoch {epoch}: objective {total / 5:.4f}")

with torch.no_grad():
    out = model(xv)
for name in WEIGHTS:
    resid = (out[name] - tv[name]).pow(2).mean() / tv[name].var()
    print(f"{name}: R2 {1 - resid.item():.3f}")
