import json
from pathlib import Path

import torch
from meter import megabytes
from recorder import Recorder
from torch import nn

with open(Path(__file__).with_name("watch.json")) as fh:
    conf = json.load(fh)
torch.manual_seed(9)


def ice(n):
    x = torch.randn(n, 12)
    return x, x[:, :3].prod(1) + x[:, 3]


net = nn.Sequential(nn.Linear(12, 320), nn.GELU(), nn.Linear(320, 320), nn.GELU(), nn.Linear(320, 1), nn.Flatten(0))
opt = torch.optim.AdamW(net.parameters(), lr=conf["lr"])
losses, spread = Recorder(**conf["record"]), Recorder(**conf["record"])
for step in range(conf["steps"]):
    x, melt = ice(conf["batch"])
    out = net(x)
    loss = nn.functional.smooth_l1_loss(out, melt)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.add(step, loss)
    spread.add(step, net(x).std())
    if step == 20:
        begin = megabytes()
    if step % 50 == 49:
        print(f"step {step + 1} loss {losses.mean():.4f} spread {spread.mean():.3f}")
print(f"loss {losses.mean():.4f}, grown by {megabytes() - begin:.0f} MB")
