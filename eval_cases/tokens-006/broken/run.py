import torch
from bursts import bursts
from model import Forecaster, masked_error

torch.manual_seed(10)
g = torch.Generator().manual_seed(13)
x, y, length = bursts(800, g)
xt, yt, lengtht = bursts(200, g)
model = Forecaster(24)
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(1, 13):
    for rows in torch.randperm(len(x)).split(40):
        opt.zero_grad()
        loss = masked_error(model(x[rows]), y[rows], length[rows])
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.5f}")
with torch.no_grad():
    real = torch.arange(xt.shape[1]) < lengtht[:, None]
    error = (model(xt) - yt)[real].pow(2).mean().item()
print(f"variance of the signal {yt[real].var().item():.3f}, forecast mse {error:.4f}")
