import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def houses(n, g):
    x = torch.randn(n, 5, generator=g)
    k_eur = 320 + 70 * x[:, 0] + 40 * torch.tanh(x[:, 1]) * x[:, 2] - 25 * x[:, 3]
    return TensorDataset(x, k_eur + 12 * torch.randn(n, generator=g))


class Price(nn.Module):
    def __init__(self, start):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 48), nn.ReLU(), nn.Linear(48, 1))
        nn.init.constant_(self.body[-1].bias, start)

    def forward(self, x):
        return self.body(x).squeeze(1)


torch.manual_seed(51)
g = torch.Generator().manual_seed(52)
train, test = houses(1500, g), houses(400, g)
model = Price(train.tensors[1].mean().item())
opt = torch.optim.Adam(model.parameters(), lr=0.05)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 25)
for epoch in range(1, 26):
    total = 0.0
    for x, y in DataLoader(train, 50, shuffle=True):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        total += loss.item() * len(x)
    sched.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} mse {total / len(train):.1f}")
with torch.no_grad():
    x, y = test.tensors
    print(f"test rmse {(model(x) - y).pow(2).mean().sqrt().item():.2f} thousand EUR (noise 12)")
