import json
from pathlib import Path

import torch
from torch import nn

with open(Path(__file__).with_name("gru.json")) as fh:
    conf = json.load(fh)


class Counter(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.gru, self.out = nn.GRU(1, hidden, batch_first=True), nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.gru(x)[1][0])[:, 0]


def pulses(n):
    x = (torch.rand(n, 12, 1) < 0.4).float()
    return x, x.sum((1, 2))


torch.manual_seed(conf["seed"])
net = Counter(conf["hidden"])
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
bound = 0
for step in range(1, conf["steps"] + 1):
    x, count = pulses(32)
    loss = nn.functional.mse_loss(net(x), count)
    opt.zero_grad()
    loss.backward()
    bound += nn.utils.clip_grad_norm_(net.parameters(), conf["max_norm"]).item() > conf["max_norm"]
    opt.step()
    if step % 50 == 0:
        print(f"step {step} loss {loss.item():.4f} clipped so far {bound}")
x, count = pulses(500)
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(x), count).item():.4f}, variance {count.var().item():.3f}")
