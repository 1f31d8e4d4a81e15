import os
import tomllib

import torch
import torch.nn.functional as F

from parity.net import Counter
from parity.task import draw

with open(os.path.join(os.path.dirname(__file__), "model.toml"), "rb") as f:
    size = tomllib.load(f)
plan = size["train"]
torch.manual_seed(plan["seed"])
generator = torch.Generator().manual_seed(plan["seed"])
net = Counter(size)
optimizer = torch.optim.Adam(net.parameters(), lr=plan["lr"])
for step in range(plan["steps"]):
    ids, answer = draw(plan["batch"], size, generator)
    loss = F.cross_entropy(net(ids), answer)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 40 == 0:
        print("step", step, "loss", round(loss.item(), 3))
net.eval()
ids, answer = draw(500, size, generator)
with torch.no_grad():
    print("answers right:", round((net(ids).argmax(1) == answer).float().mean().item(), 3))
