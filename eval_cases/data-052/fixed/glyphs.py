"""Glyphs of 8 by 8 pixels in the middle of a blank page of 28 by 28."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIZE, PAGE = 8, 28


def pages(count, seed):
    draw = torch.Generator().manual_seed(seed)
    shapes = torch.rand(5, SIZE, SIZE, generator=torch.Generator().manual_seed(9)).round()
    kind = torch.randint(0, 5, (count,), generator=draw)
    page = torch.zeros(count, PAGE, PAGE)
    ink = shapes[kind] + 0.3 * torch.randn(count, SIZE, SIZE, generator=draw)
    page[:, 10 : 10 + SIZE, 10 : 10 + SIZE] = ink
    return TensorDataset(page.flatten(1), kind)


torch.manual_seed(4)
loader = DataLoader(pages(600, 1), batch_size=20, shuffle=True)
pages_held, kinds_held = pages(200, 2).tensors
net = nn.Sequential(nn.Linear(PAGE * PAGE, 32), nn.ReLU(), nn.Linear(32, 5))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(4):
    for page, kind in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(page), kind)
        loss.backward()
        opt.step()
    with torch.no_grad():
        hit = (net(pages_held).argmax(1) == kinds_held).float().mean().item()
    print(f"epoch {epoch + 1} loss {loss.item():.4f} held-out {hit:.3f}")
