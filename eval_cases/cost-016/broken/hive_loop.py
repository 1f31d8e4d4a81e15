import time
from pathlib import Path

import torch
from session import Session

session = Session(Path(__file__).with_name("settings.toml"))
w = [(0.4 * torch.randn(5, 20)).requires_grad_(), (0.3 * torch.randn(20, 20)).requires_grad_(), (0.3 * torch.randn(20, 1)).requires_grad_()]
opt = torch.optim.Adam(w, lr=session.conf["lr"])


def unroll(x, times=12):
    h = torch.tanh(x @ w[0])
    for _ in range(times):
        h = 0.5 * h + 0.5 * torch.tanh(h @ w[1] + x @ w[0])
    return h @ w[2]


with session.watch():
    clock = time.perf_counter()
    for step in range(1, session.conf["steps"] + 1):
        x = torch.randn(32, 5)
        loss = (unroll(x) - torch.sin(x[:, :1] + x[:, 1:2])).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.4f} {20 * (time.perf_counter() - clock):.2f} ms a step")
            clock = time.perf_counter()
