import torch
from torch import nn


def calls(n, seed):
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(0, 3, (n,), generator=g)
    t = torch.linspace(0, 1, 32)
    pitch = torch.tensor([4.0, 6.0, 9.0])[kind][:, None]
    return torch.sin(6.28 * pitch * t + 0.5 * torch.randn(n, 1, generator=g)) + 0.8 * torch.randn(n, 32, generator=g), kind


class Jitter:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def __call__(self, x):
        return x * (1 + 0.1 * torch.randn(len(x), 1, generator=self.g)) + 0.1 * torch.randn(x.shape, generator=self.g)


def average_answer(net, x, jitter, views=16):
    """Test-time augmentation: the mean of the answers to several versions of a call."""
    with torch.no_grad():
        return torch.stack([net(jitter(x)).softmax(1) for _ in range(views)]).mean(0).argmax(1)


torch.manual_seed(6)
x, kind = calls(600, 1)
xt, kt = calls(300, 2)
jitter = Jitter(6)
net = nn.Sequential(nn.Linear(32, 48), nn.ReLU(), nn.Linear(48, 3))
opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-3)
for epoch in range(1, 16):
    for rows in torch.randperm(600).split(30):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(jitter(x[rows])), kind[rows])
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    plain = net(xt).argmax(1)
print(f"plain {(plain == kt).float().mean().item():.3f}, averaged {(average_answer(net, xt, jitter) == kt).float().mean().item():.3f}")
