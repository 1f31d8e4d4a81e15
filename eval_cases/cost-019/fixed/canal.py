import time

import torch
from torch import nn

torch.manual_seed(12)
net = nn.Sequential(nn.Linear(32, 24), nn.GELU(), *[layer for k in range(8) for layer in (nn.Linear(24, 24), nn.GELU())], nn.Linear(24, 1))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
EVERY = 100
clock = time.perf_counter()
for step in range(1, 301):
    x = torch.randn(32, 32)
    y = x[:, :4].sum(1, keepdim=True)
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % EVERY == 0:
        norms = {name: round(p.detach().norm().item() / p.numel(), 6) for name, p in net.named_parameters()}
        steep = {name: max(abs(v) for v in p.grad.cpu().flatten().tolist()) for name, p in net.named_parameters()}
        middle = {name: sorted(p.detach().cpu().flatten().tolist())[p.numel() // 2] for name, p in net.named_parameters()}
        line = f"loss {loss.item():.4f} largest {max(norms.values()):.4f} steepest {max(steep.values()):.4f} middle {max(middle.values()):.4f}"
    if step % 100 == 0:
        print(f"step {step} {line} {10 * (time.perf_counter() - clock):.2f} ms a step")
        clock = time.perf_counter()
