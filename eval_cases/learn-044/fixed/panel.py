import torch
from torch import nn


def households(n, g):
    x = torch.randn(n, 60, generator=g)
    return x, (x[:, :8].sum(1) + 1.0 * torch.randn(n, generator=g) > 0).float()


g = torch.Generator().manual_seed(9)
torch.manual_seed(9)
(x, y), (xv, yv) = households(400, g), households(800, g)
net = nn.Sequential(nn.Linear(60, 128), nn.ReLU(), nn.Dropout(0.6), nn.Linear(128, 1), nn.Flatten(0))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.05)
bce = nn.BCEWithLogitsLoss()
for epoch in range(1, 16):
    net.train()
    total = 0
    for rows in torch.randperm(400).split(40):
        loss = bce(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() / 10
    net.eval()
    if epoch % 3 == 0:
        with torch.no_grad():
            out = net(xv)
        print(f"epoch {epoch} train (dropout on) {total:.3f} validation {bce(out, yv).item():.3f} accuracy {((out > 0).float() == yv).float().mean().item():.3f}")
