import torch
from recsys.data import ratings
from recsys.net import TwoTower


class Fitter:
    """Sparse Adam for the embedding tables, ordinary Adam for the rest."""

    def __init__(self, model, lr=0.01):
        self.model = model
        self.tables = torch.optim.SparseAdam(model.sparse_parameters(), lr=lr)
        self.dense = torch.optim.Adam(model.dense_parameters(), lr=lr)

    def batches(self, data, size):
        for idx in torch.randperm(len(data[0])).split(size):
            yield tuple(t[idx] for t in data)

    def epoch(self, data, size=128):
        total = 0.0
        for u, i, r in self.batches(data, size):
            self.tables.zero_grad()
            self.dense.zero_grad()
            loss = torch.nn.functional.mse_loss(self.model(u, i), r)
            loss.backward()
            self.dense.step()
            total += loss.item() * len(r)
        return total / len(data[0])

    @torch.no_grad()
    def rmse(self, data):
        u, i, r = data
        return torch.sqrt(torch.mean((self.model(u, i) - r) ** 2)).item()


torch.manual_seed(1)
train, test = ratings()
fitter = Fitter(TwoTower(120, 90))
print(f"{len(train[0])} ratings, spread of the held-out ones {test[2].std():.3f}")
for ep in range(1, 21):
    mse = fitter.epoch(train)
    if ep % 5 == 0:
        print(f"epoch {ep}: train mse {mse:.3f}")
print(f"held-out rmse {fitter.rmse(test):.3f}")
