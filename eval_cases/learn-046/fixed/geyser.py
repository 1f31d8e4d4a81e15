import numpy as np
import torch

rng = np.random.default_rng(36)
x = rng.uniform(-1, 1, (3000, 3))
clean = np.sin(3 * x[:, 0]) + x[:, 1]
pause = clean + rng.normal(0, 0.7, 3000)
x, clean, pause = (torch.tensor(a).float() for a in (x, clean, pause))
torch.manual_seed(36)
net = torch.nn.Sequential(torch.nn.Linear(3, 24), torch.nn.Tanh(), torch.nn.Linear(24, 1), torch.nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(1, 31):
    total = 0
    for rows in torch.randperm(2000).split(50):
        loss = torch.nn.functional.mse_loss(net(x[rows]), pause[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() / 40
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {total:.3f}")
with torch.no_grad():
    out = net(x[2000:])
print(f"test mse {torch.nn.functional.mse_loss(out, pause[2000:]).item():.3f}, spread of the measurement 0.490, distance to the noise-free curve {torch.nn.functional.mse_loss(out, clean[2000:]).item():.4f}")
