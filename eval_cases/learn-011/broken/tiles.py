import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(11)
x = torch.rand(1200, 2) * 2.5
cls = (x[:, 0].floor() + x[:, 1].floor()).long() % 2
loader = DataLoader(TensorDataset(x[:900], cls[:900]), 30, shuffle=True)
net = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
plan = torch.optim.lr_scheduler.StepLR(opt, step_size=10, gamma=0.5)
for epoch in range(1, 31):
    for bx, by in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(bx), by)
        loss.backward()
        opt.step()
        plan.step()
    if epoch % 6 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {(net(x[900:]).argmax(1) == cls[900:]).float().mean().item():.3f}")
