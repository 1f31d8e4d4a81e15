import torch
from torch import nn

torch.manual_seed(1)
bce = nn.BCEWithLogitsLoss()
G = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1))
D = nn.Sequential(nn.Linear(1, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.99))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.99))


def real(n):
    return 3.0 + 0.6 * torch.randn(n, 1)


one, zero = torch.ones(128, 1), torch.zeros(128, 1)
for step in range(1, 481):
    fake = G(torch.randn(128, 4))
    opt_d.zero_grad()
    loss_d = (bce(D(real(128)), one) + bce(D(fake.detach()), zero)) / 2
    loss_d.backward()
    opt_d.step()

    opt_g.zero_grad()
    loss_g = bce(D(fake), one)
    loss_g.backward()
    opt_g.step()
    if step % 120 == 0:
        print(f"step {step} d {loss_d.item():.3f} g {loss_g.item():.3f}")

with torch.no_grad():
    sample = G(torch.randn(4000, 4))
print(f"generated mean {sample.mean().item():.3f} spread {sample.std().item():.3f} (real 3.0, 0.6)")
