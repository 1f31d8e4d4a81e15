import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parts(n, g):
    bad = (torch.rand(n, generator=g) < 0.05).long()
    x = torch.randn(n, 8, generator=g) + 1.1 * bad[:, None] * torch.tensor([1.0, 1, 1, 0, 0, 0, 0, -1])
    return TensorDataset(x, bad)


def balanced_accuracy(net, data):
    x, y = data.tensors
    with torch.no_grad():
        hit = net(x).argmax(1) == y
    return (hit[y == 0].float().mean() + hit[y == 1].float().mean()).item() / 2


torch.manual_seed(60)
g = torch.Generator().manual_seed(61)
train, test = parts(3000, g), parts(1500, g)
count = torch.bincount(train.tensors[1])
weight = count.sum() / (2 * count)
print("weights", [round(w, 2) for w in weight.tolist()])
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss(weight=weight)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.01)
for epoch in range(1, 9):
    for x, y in DataLoader(train, 100, shuffle=True):
        opt.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        opt.step()
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
print(f"balanced test accuracy {balanced_accuracy(net, test):.3f}")
