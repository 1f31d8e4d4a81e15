import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def speakers(n, seed):
    g = torch.Generator().manual_seed(seed)
    accent = torch.randint(0, 6, (n,), generator=g)
    formants = torch.randn(6, 16, generator=torch.Generator().manual_seed(50))
    return TensorDataset(formants[accent] + 1.5 * torch.randn(n, 16, generator=g), accent)


torch.manual_seed(0)
loader = DataLoader(speakers(960, 1), batch_size=12)
check = DataLoader(speakers(480, 2), batch_size=240)
net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 6))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)

steps, done = 400, 0
while done < steps:
    for x, accent in loader:
        net.train()
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), accent)
        loss.backward()
        opt.step()
        done += 1
        if done % 80 == 0:
            print(f"step {done} loss {loss.item():.4f}")
net.eval()
with torch.no_grad():
    hits = sum((net(x).argmax(1) == a).sum().item() for x, a in check)
print(f"validation accuracy {hits / 480:.3f}")
