import torch
from torch import nn

torch.manual_seed(3)
BS = 128


def real(n):
    return torch.randn(n, 1) * 0.5 + 4


G = nn.Sequential(nn.Linear(4, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
D = nn.Sequential(nn.Linear(1, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opts = {
    "g": torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.99)),
    "d": torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.99)),
}
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(BS, 1), torch.zeros(BS, 1)


def stats():
    with torch.no_grad():
        s = G(torch.randn(4000, 4))
    return s.mean().item(), s.std().item(), (s > 0).float().mean().item()


print("start   mean %.2f std %.2f frac+ %.2f" % stats())
for it in range(400):
    # --- discriminator
    x = real(BS)
    fake = G(torch.randn(BS, 4)).detach()
    d_loss = bce(D(x), ones * 0.9) + bce(D(fake), zeros)
    opts["d"].zero_grad()
    d_loss.backward()
    opts["d"].step()
    # --- generator (non-saturating)
    for p in D.parameters():
        p.requires_grad_(False)
    g_loss = bce(D(G(torch.randn(BS, 4))), ones)
    opts["g"].zero_grad()
    g_loss.backward()
    opts["g"].step()
    for p in D.parameters():
        p.requires_grad_(True)
    if it % 100 == 0:
        print("%4d  D %.3f  G %.3f   " % (it, d_loss.item(), g_loss.item()), "mean %.2f std %.2f frac+ %.2f" % stats())
print("target  mean 4.00 std 0.50 frac+ 1.00")
print("end     mean %.2f std %.2f frac+ %.2f" % stats())
