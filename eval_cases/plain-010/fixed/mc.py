import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, p=0.1):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, 64), nn.SiLU(), nn.Dropout(p), nn.Linear(64, 64), nn.SiLU(), nn.Dropout(p))
        self.out = nn.Linear(64, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


def set_mode(net, training):
    (net.train if training else net.eval)()


def train(net, loader, epochs, lr):
    set_mode(net, True)
    optimiser = torch.optim.Adam(net.parameters(), lr, weight_decay=1e-5)
    for ep in range(epochs):
        losses = []
        for xb, yb in loader:
            optimiser.zero_grad()
            l = ((net(xb) - yb) ** 2).mean()
            l.backward()
            optimiser.step()
            losses.append(l.detach())
        if ep % 10 == 9:
            print("epoch", ep, "mse", float(torch.stack(losses).mean()))


def mc_predict(net, x, k=60):
    """dropout stays ON at test time: Gal & Ghahramani"""
    set_mode(net, True)
    with torch.no_grad():
        s = torch.stack([net(x) for _ in range(k)])
    set_mode(net, False)
    return s.mean(0), s.std(0)


def main():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    x = rng.uniform(-3, 3, 800).astype("float32")
    y = (np.sin(x * 1.5) + 0.3 * x + 0.1 * rng.standard_normal(800)).astype("float32")
    ds = TensorDataset(torch.from_numpy(x)[:, None], torch.from_numpy(y))
    net = Net()
    train(net, DataLoader(ds, 50, shuffle=True), 40, 5e-3)
    xt = torch.linspace(-5, 5, 21)[:, None]
    mu, sd = mc_predict(net, xt)
    truth = torch.sin(xt[:, 0] * 1.5) + 0.3 * xt[:, 0]
    inside = xt[:, 0].abs() <= 3
    print("rmse inside", ((mu - truth)[inside] ** 2).mean().sqrt().item())
    print("sd inside %.3f outside %.3f" % (sd[inside].mean(), sd[~inside].mean()))


main()
