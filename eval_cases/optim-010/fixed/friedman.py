import torch
from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score

from trainer import History, Plateau, Trainer

torch.manual_seed(31)
X, y = make_friedman1(n_samples=1500, n_features=8, noise=0.5, random_state=31)
X = torch.tensor(X, dtype=torch.float32) * 2 - 1
y = torch.tensor(y, dtype=torch.float32)
y = (y - y[:1200].mean()) / y[:1200].std()

model = torch.nn.Sequential(
    torch.nn.Linear(8, 40), torch.nn.SiLU(), torch.nn.Linear(40, 40), torch.nn.SiLU(),
    torch.nn.Linear(40, 1), torch.nn.Flatten(0),
)
trainer = Trainer(
    model,
    torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9),
    torch.nn.HuberLoss(),
    [History(every=6), Plateau(patience=3)],
)
trainer.fit(X[:1200], y[:1200], epochs=24, batch_size=50)
print(f"test R2 {r2_score(y[1200:], trainer.predict(X[1200:])):.3f}")
