import torch
from torch import nn


def rings(n, seed):
    g = torch.Generator().manual_seed(seed)
    which = torch.randint(0, 3, (n,), generator=g)
    radius = 0.5 + which + 0.15 * torch.randn(n, generator=g)
    turn = 6.2832 * torch.rand(n, generator=g)
    return torch.stack([radius * turn.cos(), radius * turn.sin()], dim=1), which


class Experiment:
    def __init__(self, lr=0.02, batch=30, seed=0):
        torch.manual_seed(seed)
        self.batch = batch
        self.model = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.data = {"train": rings(600, 1), "valid": rings(200, 2)}

    @torch.inference_mode()
    def measure(self, x, y):
        """Loss and share of hits on one batch."""
        logits = self.model(x)
        return nn.functional.cross_entropy(logits, y), (logits.argmax(1) == y).float().mean()

    def train_epoch(self):
        self.model.train()
        x, y = self.data["train"]
        for rows in torch.randperm(len(y)).split(self.batch):
            loss, hits = self.measure(x[rows], y[rows])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item(), hits.item()

    def validate(self):
        self.model.eval()
        loss, hits = self.measure(*self.data["valid"])
        return loss.item(), hits.item()


experiment = Experiment()
for epoch in range(8):
    experiment.train_epoch()
    loss, hits = experiment.validate()
    print(f"epoch {epoch} valid loss {loss:.3f} accuracy {hits:.3f}")
