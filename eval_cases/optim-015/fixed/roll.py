import torch
from torch import nn
from sklearn.datasets import load_breast_cancer

torch.manual_seed(6)
bunch = load_breast_cancer()
x = torch.tensor((bunch.data - bunch.data.mean(0)) / bunch.data.std(0), dtype=torch.float32)
y = torch.tensor(bunch.target, dtype=torch.float32)
order = torch.randperm(len(y))
x, y = x[order], y[order]
net = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1))
rule = torch.optim.SGD(net.parameters(), lr=0.02)
KEEP = 0.8

for epoch in range(20):
    for rows in torch.randperm(450).split(45):
        for p in net.parameters():
            if p.grad is not None:
                p.grad.mul_(KEEP)
        loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]).squeeze(1), y[rows])
        loss.backward()
        rule.step()
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"accuracy {((net(x[450:]).squeeze(1) > 0) == (y[450:] > 0.5)).float().mean().item():.3f}")
