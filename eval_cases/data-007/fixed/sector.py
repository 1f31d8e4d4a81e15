from pathlib import Path

import numpy as np
import torch


def read(name):
    table = np.loadtxt(name, delimiter=",", skiprows=1, dtype="float32")
    return torch.from_numpy(table[:, :4]), torch.from_numpy(table[:, 4]).long()


class Trainer:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)

    def epoch(self, x, y, size=8):
        losses = []
        for bx, by in zip(x.split(size), y.split(size)):
            self.opt.zero_grad()
            loss = torch.nn.functional.cross_entropy(self.net(bx), by)
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def accuracy(self, x, y):
        return (self.net(x).argmax(1) == y).float().mean().item()


torch.manual_seed(2)
train, test = read(Path(__file__).with_name("wind_train.csv")), read(Path(__file__).with_name("wind_test.csv"))
trainer = Trainer(torch.nn.Sequential(torch.nn.Linear(4, 24), torch.nn.ReLU(), torch.nn.Linear(24, 4)), lr=0.4)
for epoch in range(1, 11):
    print(f"epoch {epoch} loss {trainer.epoch(*train):.3f} test accuracy {trainer.accuracy(*test):.3f}")
