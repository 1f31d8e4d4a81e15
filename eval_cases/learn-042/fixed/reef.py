import torch
from torch import nn

torch.manual_seed(21)
x = torch.rand(1000, 4) * 2 - 1
cover = (torch.exp(-4 * x[:, 0] ** 2) + 0.6 * x[:, 1] * x[:, 2] + 0.05 * torch.randn(1000))[:, None]
net = nn.Sequential(nn.Linear(4, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
epochs = 40
cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs, eta_min=0.0)
for epoch in range(1, epochs + 1):
    for rows in torch.randperm(800).split(40):
        loss = nn.functional.mse_loss(net(x[rows]), cover[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    cosine.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} rate {opt.param_groups[0]['lr']:.5f} loss {loss.item():.5f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(x[800:]), cover[800:]).item():.5f} (noise 0.00250)")
