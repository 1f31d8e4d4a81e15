"""Lipschitz critic (spectral norm) estimating the Wasserstein distance of two fixed samples; then a weight-normed regressor."""
import torch
from torch import nn
from torch.nn.utils import spectral_norm
from torch.nn.utils.parametrizations import weight_norm

torch.manual_seed(0)
a = torch.randn(2000, 2)
b = torch.randn(2000, 2) + torch.tensor([3.0, 0.0])     # true W1 = 3
critic = nn.Sequential(spectral_norm(nn.Linear(2, 64)), nn.LeakyReLU(0.9), spectral_norm(nn.Linear(64, 64)), nn.LeakyReLU(0.9), spectral_norm(nn.Linear(64, 1)))
opt = torch.optim.Adam(critic.parameters(), lr=5e-3)
for it in range(300):
    i = torch.randint(0, 2000, (128,))
    loss = critic(a[i]).mean() - critic(b[i]).mean()      # negative and falling: it is minus the distance
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print("critic", it, loss.item())
print("estimated distance", -loss.item(), "true 3")

reg = nn.Sequential(weight_norm(nn.Linear(2, 32)), nn.ELU(), weight_norm(nn.Linear(32, 1)))
opt = torch.optim.SGD(reg.parameters(), lr=0.05, momentum=0.9)
t = (a[:, :1] * 0.7 - a[:, 1:].tanh())
for it in range(400):
    i = torch.randint(0, 2000, (64,))
    l = nn.functional.l1_loss(reg(a[i]), t[i])
    opt.zero_grad(); l.backward(); opt.step()
    if it % 50 == 0:
        print("regressor", it, l.item())
