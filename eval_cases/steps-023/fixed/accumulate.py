import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

GROUP = 4
torch.manual_seed(5)
w = torch.randn(10)
x = torch.randn(1000, 10)
y = torch.tanh(x @ w / 2) + 0.05 * torch.randn(1000)
train, test = TensorDataset(x[:824], y[:824]), (x[824:], y[824:])
loader = DataLoader(train, batch_size=16, shuffle=True)
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)

for epoch in range(1, 19):
    batches = list(loader)
    total = 0.0
    for start in range(0, len(batches), GROUP):
        group = batches[start:start + GROUP]
        count = sum(len(b) for b, _ in group)
        for bx, by in group:
            loss = nn.functional.mse_loss(net(bx), by, reduction="sum") / count
            loss.backward()
            total += loss.item() * count
        opt.step()
        opt.zero_grad()
    if epoch % 6 == 0:
        print(f"epoch {epoch} train mse {total / len(train):.4f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(test[0]), test[1]).item():.4f}")
