"""Two replicas, gradients averaged by hand into a master model that never runs forward; the master's optimizer steps; weights are copied back."""
import copy
import torch
from torch import nn
from sklearn.datasets import load_digits
torch.manual_seed(0)
d = load_digits(); X = torch.tensor(d.data / 16).float(); y = torch.tensor(d.target)
master = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
workers = [copy.deepcopy(master) for _ in range(2)]
opt = torch.optim.SGD(master.parameters(), lr=0.2, momentum=0.9)
for ep in range(8):
    for i in torch.randperm(1400).split(64):
        for w, j in zip(workers, i.chunk(2)):
            w.load_state_dict(master.state_dict())
            w.zero_grad()
            loss = nn.functional.cross_entropy(w(X[j]), y[j])
            loss.backward()
        for ps in zip(master.parameters(), *(w.parameters() for w in workers)):
            ps[0].grad = sum(p.grad for p in ps[1:]) / len(workers)
        opt.step()
    with torch.no_grad():
        print(ep, round(loss.item(), 4), (master(X[1400:]).argmax(1) == y[1400:]).float().mean().item())
