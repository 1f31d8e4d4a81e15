"""A generator and a discriminator with two optimizers whose backward calls overlap."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from streams import print_torch_state, seed_streams
from torch import nn

seed_streams(13)
generator = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
discriminator = nn.Sequential(nn.Linear(1, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
for_generator = torch.optim.Adam(generator.parameters(), lr=2e-3)
for_discriminator = torch.optim.Adam(discriminator.parameters(), lr=2e-3)
ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)

for step in range(40):
    real = 2 + 0.5 * torch.randn(32, 1)
    made = generator(torch.randn(32, 2))
    for_discriminator.zero_grad()
    loss = F.binary_cross_entropy_with_logits(discriminator(real), ones)
    loss = loss + F.binary_cross_entropy_with_logits(discriminator(made.detach()), zeros)
    loss.backward()
    for_discriminator.step()
    for_generator.zero_grad()
    fooled = F.binary_cross_entropy_with_logits(discriminator(made), ones)
    fooled.backward()
    for_generator.step()
    if step % 10 == 0:
        print(step, loss.item(), fooled.item(), made.mean().item())

print_torch_state([*generator.parameters(), *discriminator.parameters()])
