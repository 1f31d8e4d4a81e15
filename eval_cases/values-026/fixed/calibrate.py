import torch
from torch import nn

torch.manual_seed(25)
true_gain = torch.tensor([0.8, -0.3, 1.2, 0.05])
reading = torch.randn(500, 4)
weight_g = reading @ true_gain + 0.4 + 0.05 * torch.randn(500)
scale = nn.Linear(4, 1)
opt = torch.optim.SGD(scale.parameters(), lr=0.05)
for epoch in range(1, 31):
    for rows in torch.randperm(400).split(20):
        opt.zero_grad()
        loss = nn.functional.mse_loss(scale(reading[rows]).squeeze(1), weight_g[rows])
        loss.backward()
        opt.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch} mse {loss.item():.5f}")
with torch.no_grad():
    print("gains", [round(v, 3) for v in scale.weight[0].tolist()])
    print(f"held-out rmse {(scale(reading[400:]).squeeze(1) - weight_g[400:]).pow(2).mean().sqrt().item():.4f}")
