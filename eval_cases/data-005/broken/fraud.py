"""Card payments: eight behavioural scores, four in a hundred are fraud."""
import json
from pathlib import Path

import torch
from torch import nn

plan = json.loads(Path(__file__).with_name("plan.json").read_text())
torch.manual_seed(plan["seed"])


def payments(n):
    fraud = torch.rand(n) < 0.04
    score = torch.randn(n, 8)
    score[fraud, :3] += 0.9
    return score, fraud.long()


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, s):
        return self.layers(s)


x, y = payments(3000)
xt, yt = payments(2000)
net = Scorer()
criterion = nn.CrossEntropyLoss(weight=torch.tensor(plan["class_weight"]))
optimizer = torch.optim.Adam(net.parameters(), lr=plan["lr"])
for epoch in range(plan["epochs"]):
    for rows in torch.randperm(len(x)).split(plan["batch"]):
        optimizer.zero_grad()
        loss = criterion(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        guess = net(xt).argmax(1)
    recall = (guess[yt == 1] == 1).float().mean().item()
    quiet = (guess[yt == 0] == 0).float().mean().item()
    print(f"epoch {epoch + 1} loss {loss.item():.3f} accuracy {(guess == yt).float().mean().item():.3f} fraud found {recall:.3f} balanced {(recall + quiet) / 2:.3f}")
