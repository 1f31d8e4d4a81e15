from pathlib import Path

import numpy as np
import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, Subset, TensorDataset

table = torch.from_numpy(np.loadtxt(Path(__file__).with_name("bark.csv"), delimiter=",", dtype="float32"))
whole = TensorDataset(table[:, :6], table[:, 6].long())
torch.manual_seed(1)
held_out = set(range(0, 600, 4))
train = Subset(whole, [i for i in range(600) if i not in held_out])
test = whole[sorted(held_out)]
loader = DataLoader(train, sampler=BatchSampler(RandomSampler(train), 30, False), batch_size=None)
net = torch.nn.Sequential(torch.nn.Linear(6, 24), torch.nn.ReLU(), torch.nn.Linear(24, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for epoch in range(1, 13):
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {(net(test[0]).argmax(1) == test[1]).float().mean().item():.3f}")
