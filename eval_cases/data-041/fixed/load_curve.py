import torch
from torch import nn

g = torch.Generator().manual_seed(4)
hours = torch.arange(2200.0)
load = torch.sin(6.2832 * hours / 24) + 0.5 * torch.sin(6.2832 * hours / 168) + 0.15 * torch.randn(2200, generator=g)
past = load.unfold(0, 24, 1)[:-1]
coming = load[24:]
cut = int(0.7 * len(coming))
gap = 24

torch.manual_seed(4)
net = nn.Sequential(nn.Linear(24, 32), nn.Tanh(), nn.Linear(32, 1), nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(1, 21):
    for rows in torch.randperm(cut).split(64):
        loss = nn.functional.mse_loss(net(past[rows]), coming[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(past[cut + gap:]), coming[cut + gap:]).item():.4f} (variance {coming[cut + gap:].var().item():.3f})")
