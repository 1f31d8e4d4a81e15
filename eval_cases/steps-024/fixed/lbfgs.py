import torch
from torch import nn


class PendulumFit:
    def __init__(self, seed=8):
        torch.manual_seed(seed)
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
        self.opt = torch.optim.LBFGS(self.net.parameters(), lr=0.5, max_iter=10, history_size=10, line_search_fn="strong_wolfe")
        self.t = torch.linspace(-1, 1, 160)[:, None]
        self.angle = torch.exp(-self.t) * torch.cos(5 * self.t) + 0.02 * torch.randn_like(self.t)

    def closure(self):
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.net(self.t[::2]), self.angle[::2])
        loss.backward()
        return loss

    def run(self, rounds=30):
        for k in range(1, rounds + 1):
            loss = self.opt.step(self.closure)
            if k % 10 == 0:
                print(f"round {k}: {loss.item():.6f}")
        with torch.no_grad():
            held = nn.functional.mse_loss(self.net(self.t[1::2]), self.angle[1::2])
        print(f"held-out mse {held.item():.6f}")


PendulumFit().run()
