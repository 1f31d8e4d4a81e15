import torch
from torch import nn


class Meter:
    def __init__(self):
        self.values = []

    def add(self, value):
        self.values.append(value)

    def mean(self):
        return sum(self.values) / len(self.values)


class Trainer:
    def __init__(self, net, rate):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=rate, momentum=0.9)

    def epoch(self, x, y):
        meter = Meter()
        for rows in torch.randperm(len(x)).split(32):
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.net(x[rows]), y[rows])
            loss.backward()
            self.optimizer.step()
            meter.add(loss.item())
        return meter.average()


torch.manual_seed(9)
x = torch.randn(256, 6)
y = (x[:, 0] * x[:, 1] > 0).long()
trainer = Trainer(nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 2)), rate=0.1)
for epoch in range(15):
    mean = trainer.epoch(x, y)
print(f"mean loss {mean:.3f}")
