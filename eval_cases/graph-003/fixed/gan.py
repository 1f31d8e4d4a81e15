"""Learns to imitate a two-dimensional cloud of points."""
import torch
from torch import nn


def real_points(n):
    z = torch.randn(n, 2)
    mix = torch.tensor([[0.9, 0.0], [0.6, 0.4]])
    return z @ mix.T + torch.tensor([1.5, -1.0])


class Generator(nn.Module):
    def __init__(self, latent=4):
        super().__init__()
        self.latent = latent
        self.net = nn.Sequential(nn.Linear(latent, 32), nn.LeakyReLU(0.2), nn.Linear(32, 2))

    def forward(self, n):
        return self.net(torch.randn(n, self.latent))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x)


def penalty(critic, real):
    real = real.clone().requires_grad_()
    grad, = torch.autograd.grad(critic(real).sum(), real, create_graph=True)
    return grad.pow(2).sum(1).mean()


def main():
    torch.manual_seed(12)
    bce = nn.BCEWithLogitsLoss()
    gen, critic = Generator(), Critic()
    opt_g = torch.optim.Adam(gen.parameters(), lr=2e-3, betas=(0.5, 0.99))
    opt_d = torch.optim.Adam(critic.parameters(), lr=4e-3, betas=(0.5, 0.99))
    batch = 128
    ones, zeros = torch.ones(batch, 1), torch.zeros(batch, 1)
    for it in range(1, 701):
        real = real_points(batch)
        fake = gen(batch)

        d_loss = bce(critic(real), ones) + bce(critic(fake.detach()), zeros) + 0.5 * penalty(critic, real)
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()

        g_loss = bce(critic(fake), ones)
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
        if it % 175 == 0:
            print(f"{it:4d}  critic {d_loss.item():.3f}  generator {g_loss.item():.3f}")

    with torch.no_grad():
        a, b = gen(4000), real_points(4000)
    shift = (a.mean(0) - b.mean(0)).norm().item()
    spread = (torch.cov(a.T) - torch.cov(b.T)).norm().item()
    print(f"distance of means {shift:.3f}, distance of covariances {spread:.3f}")


main()
