import torch
from torch import nn
from sklearn.datasets import load_wine

torch.manual_seed(2)
bunch = load_wine()
x = torch.tensor((bunch.data - bunch.data.mean(0)) / bunch.data.std(0), dtype=torch.bfloat16)
y = torch.tensor(bunch.target)
order = torch.randperm(len(y))
x, y = x[order], y[order]


class Wide:
    """Keeps a float32 copy of each weight of a bfloat16 net and moves the copies."""

    def __init__(self, net, lr):
        self.narrow = list(net.parameters())
        self.wide = [p.detach().float().requires_grad_(True) for p in self.narrow]
        self.rule = torch.optim.SGD(self.wide, lr=lr, momentum=0.9)

    def update(self):
        for w, n in zip(self.wide, self.narrow):
            w.grad = n.grad.float()
            n.grad = None
        self.rule.step()
        with torch.no_grad():
            for w, n in zip(self.wide, self.narrow):
                n.copy_(w)


net = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3)).bfloat16()
wide = Wide(net, lr=0.05)
for epoch in range(12):
    for rows in torch.randperm(140).split(20):
        loss = nn.functional.cross_entropy(net(x[rows]).float(), y[rows])
        loss.backward()
        wide.update()
    print(f"epoch {epoch + 1} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"accuracy {(net(x[140:]).argmax(1) == y[140:]).float().mean().item():.3f}")
