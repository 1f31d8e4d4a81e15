from pathlib import Path

import numpy as np
import torch

start = np.load(Path(__file__).with_name("initial.npz"))
w1, w2 = (torch.tensor(start[k], requires_grad=True) for k in ("hidden", "out"))
b1, b2 = torch.zeros(w1.shape[1], requires_grad=True), torch.zeros(w2.shape[1], requires_grad=True)


def origin(x):
    return torch.tanh(x @ w1 + b1) @ w2 + b2


g = torch.Generator().manual_seed(70)
place = torch.randint(0, 3, (900,), generator=g)
angle, far = 6.283 * torch.rand(900, generator=g), 0.3 + place + 0.2 * torch.randn(900, generator=g)
x = torch.randn(900, 6, generator=g)
x[:, 0], x[:, 1] = far * angle.cos(), far * angle.sin()
opt = torch.optim.Adam([w1, b1, w2, b2], lr=0.01)
for epoch in range(1, 31):
    for rows in torch.randperm(700, generator=g).split(35):
        loss = torch.nn.functional.cross_entropy(origin(x[rows]), place[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {(origin(x[700:]).argmax(1) == place[700:]).float().mean().item():.3f}")
