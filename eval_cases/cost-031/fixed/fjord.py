import torch
from torch import nn

torch.manual_seed(8)
net = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
history = []
total_loss = 0.0
for step in range(1, 501):
    x = torch.randn(32, 8)
    y = (x[:, 0] * x[:, 1] + x[:, 2])[:, None]
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss.item())
    total_loss += loss.item()
    if step % 100 == 0:
        print(f"step {step} mean of the last hundred {sum(history[-100:]) / 100:.4f} of all {total_loss / step:.4f}")
