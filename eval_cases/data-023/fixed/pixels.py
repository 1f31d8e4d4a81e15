import numpy as np
import torch
from sklearn.datasets import load_digits


def table():
    bunch = load_digits()
    return np.column_stack([bunch.data, bunch.target])


def prepare(rows):
    pixels = rows[:, :-1] / 16.0
    return torch.tensor(pixels, dtype=torch.float32), torch.tensor(rows[:, -1], dtype=torch.long)


rows = table()
np.random.default_rng(0).shuffle(rows)
x, digit = prepare(rows[:1300])
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.GELU(), torch.nn.Linear(32, 10))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, 13):
    for pick in torch.randperm(1300).split(65):
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x[pick]), digit[pick])
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")

xt = torch.tensor(rows[1300:, :-1] / 16.0).float()
truth = torch.tensor(rows[1300:, -1]).long()
with torch.no_grad():
    guess = net(xt).argmax(1)
print("answers", torch.bincount(guess, minlength=10).tolist())
print(f"accuracy {(guess == truth).float().mean().item():.3f}")
