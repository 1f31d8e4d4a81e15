"""Quantisation-aware training: 3-bit weights, binary activations through a custom autograd.Function, user hooks."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


def fake_quant(w, bits=3):
    s = w.detach().abs().max() / (2 ** (bits - 1) - 1) + 1e-8
    q = torch.round(w / s).clamp(-(2 ** (bits - 1)) + 1, 2 ** (bits - 1) - 1) * s
    return w + (q - w).detach()          # straight-through


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= 1).to(g.dtype)


class QLinear(nn.Linear):
    def forward(self, x):
        return F.linear(x, fake_quant(self.weight), self.bias)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.bn1 = QLinear(64, 128), nn.BatchNorm1d(128)
        self.l2, self.bn2 = QLinear(128, 128), nn.BatchNorm1d(128)
        self.l3 = QLinear(128, 10)

    def forward(self, x):
        x = Sign.apply(self.bn1(self.l1(x)))
        x = Sign.apply(self.bn2(self.l2(x)))
        return self.l3(x) / 4


torch.manual_seed(0)
d = load_digits()
X, Y = torch.tensor(d.data / 8.0 - 1).float(), torch.tensor(d.target)
p = torch.randperm(len(X)); tr, te = p[:1400], p[1400:]
net = Net()
stats = {}
net.l2.register_forward_hook(lambda m, i, o: stats.__setitem__("act", float(o.detach().abs().mean())))
net.l1.register_full_backward_hook(lambda m, gi, go: stats.__setitem__("gout", float(go[0].norm())))
for q in net.parameters():
    q.register_hook(lambda g: g.clamp(-1, 1))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(10):
    net.train()
    tot = 0
    for i in tr[torch.randperm(len(tr))].split(70):
        opt.zero_grad()
        loss = F.cross_entropy(net(X[i]), Y[i])
        loss.backward()
        opt.step()
        with torch.no_grad():
            for mod in (net.l1, net.l2, net.l3):
                mod.weight.clamp_(-1, 1)
        tot += loss.item() / 20
    net.eval()
    with torch.no_grad():
        a = (net(X[te]).argmax(1) == Y[te]).float().mean()
    print(f"epoch {epoch} loss {tot:.4f} acc {a:.3f} {stats}")
