"""Learning to rank: documents with higher grades belong above the others of their query."""
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.functional import softplus


@dataclass(frozen=True)
class Params:
    queries: int = 300
    docs: int = 12
    features: int = 10
    hidden: int = 32
    lr: float = 5e-2
    momentum: float = 0.9
    epochs: int = 20
    queries_per_step: int = 15
    seed: int = 23


class RankData:
    def __init__(self, p: Params):
        g = torch.Generator().manual_seed(p.seed)
        self.x = torch.randn(p.queries, p.docs, p.features, generator=g)
        a, b = torch.randn(2, p.features, generator=g)
        raw = self.x @ a + (self.x @ b).abs() + 0.3 * torch.randn(p.queries, p.docs, generator=g)
        self.grade = (raw.argsort(1).argsort(1) // (p.docs // 3)).float()
        self.train = torch.arange(p.queries * 4 // 5)
        self.valid = torch.arange(p.queries * 4 // 5, p.queries)


class Scorer(nn.Module):
    def __init__(self, p: Params):
        super().__init__()
        self.mlp = nn.Sequential(
            nn.Linear(p.features, p.hidden), nn.ReLU(), nn.Linear(p.hidden, p.hidden), nn.ReLU(), nn.Linear(p.hidden, 1)
        )

    def forward(self, x):
        return self.mlp(x).squeeze(-1)


class RankTrainer:
    def __init__(self, p: Params):
        torch.manual_seed(p.seed)
        self.p, self.data, self.model = p, RankData(p), Scorer(p)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=p.lr, momentum=p.momentum)

    @staticmethod
    def pair_loss(score, grade):
        above = grade.unsqueeze(2) > grade.unsqueeze(1)
        margin = score.unsqueeze(2) - score.unsqueeze(1)
        return softplus(-margin)[above].mean()

    def step(self, rows):
        self.opt.zero_grad()
        loss = self.pair_loss(self.model(self.data.x[rows]), self.data.grade[rows])
        loss.backward()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def pairs_in_order(self, rows):
        self.model.eval()
        s, grade = self.model(self.data.x[rows]), self.data.grade[rows]
        self.model.train()
        above = grade.unsqueeze(2) > grade.unsqueeze(1)
        return (s.unsqueeze(2) > s.unsqueeze(1))[above].float().mean().item()

    def run(self):
        for epoch in range(1, self.p.epochs + 1):
            order = self.data.train[torch.randperm(len(self.data.train))]
            losses = [self.step(rows) for rows in order.split(self.p.queries_per_step)]
            if epoch % 5 == 0:
                print(f"epoch {epoch:2d}: pair loss {sum(losses) / len(losses):.4f}")
        print(f"valid pairs in order: {self.pairs_in_order(self.data.valid):.3f}")


if __name__ == "__main__":
    RankTrainer(Params()).run()
