import torch
from torch import nn
from torch.distributions import Normal


class DelayModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 32), nn.SiLU())
        self.loc = nn.Linear(32, 1)
        self.log_scale = nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        return Normal(self.loc(h), self.log_scale(h).clamp(-3, 3).exp())


def trips(n, rng):
    x = torch.randn(n, 5, generator=rng)
    mean = 1.5 * x[:, :1] - x[:, 1:2] * x[:, 2:3]
    return x, mean + torch.exp(0.4 * x[:, 3:4] - 1) * torch.randn(n, 1, generator=rng)


def train(model, x, y):
    opt = torch.optim.Adam(model.parameters(), 4e-3)
    for epoch in range(18):
        for rows in torch.randperm(len(x)).split(64):
            nll = -model(x[rows]).log_prob(y[rows]).mean()
            opt.zero_grad()
            nll.backward()
            opt.step()
        if epoch % 6 == 5:
            print(f"epoch {epoch + 1:2d}  loss {nll.item():.3f}")


if __name__ == "__main__":
    torch.manual_seed(16)
    rng = torch.Generator().manual_seed(4)
    x, y = trips(1500, rng)
    xt, yt = trips(400, rng)
    model = DelayModel()
    train(model, x, y)
    with torch.no_grad():
        off = (model(xt).mean - yt).abs().mean().item()
    print(f"mean absolute error {off:.3f} minutes")
