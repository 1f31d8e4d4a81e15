"""Snapshot ensembles: cosine with warm restarts from a large rate, the loss jumps at each restart; optimizer re-made each cycle; SWA average."""
import copy
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, update_bn
from sklearn.datasets import load_digits
torch.manual_seed(0)
d = load_digits(); X = torch.tensor(d.data / 16).float(); y = torch.tensor(d.target)
net = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 10))
swa = AveragedModel(net)
snaps = []
for cycle in range(4):
    opt = torch.optim.SGD(net.parameters(), lr=1.0)
    sch = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, 4 * 22)
    for ep in range(4):
        net.train()
        for i in torch.randperm(1400).split(64):
            opt.zero_grad(True)
            loss = nn.functional.cross_entropy(net(X[i]), y[i])
            loss.backward()
            opt.step()
            sch.step()
    snaps.append(copy.deepcopy(net).eval())
    swa.update_parameters(net)
    with torch.no_grad():
        accs = [(s(X[1400:]).argmax(1) == y[1400:]).float().mean().item() for s in snaps]
        ens = (sum(s(X[1400:]).softmax(1) for s in snaps).argmax(1) == y[1400:]).float().mean().item()
    print("cycle", cycle, "loss", round(loss.item(), 4), [round(a, 3) for a in accs], "ensemble", round(ens, 3))
update_bn([X[:1400]], swa)
swa.eval()
with torch.no_grad():
    print("swa", (swa(X[1400:]).argmax(1) == y[1400:]).float().mean().item())
