import torch
from torch import nn

torch.manual_seed(2)


def transactions(n):
    x = torch.randn(n, 12)
    w = torch.linspace(-1.5, 1.5, 12)
    return x, (x @ w + 0.3 * torch.randn(n) > 0).long()


x, y = transactions(1920)
xt, yt = transactions(600)
model = nn.Linear(12, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
criterion = nn.CrossEntropyLoss()

for epoch in range(6):
    running = 0.0
    for idx in torch.randperm(len(x)).split(32):
        loss = criterion(model(x[idx]), y[idx])
        running += loss
        optimizer.zero_grad()
        running.backward(retain_graph=True)
        optimizer.step()
    with torch.no_grad():
        held_out = criterion(model(xt), yt).item()
    print(f"epoch {epoch}: held-out loss {held_out:.4f}")

with torch.no_grad():
    hit = (model(xt).argmax(1) == yt).float().mean().item()
    print(f"held-out accuracy {hit:.4f}, held-out loss {criterion(model(xt), yt).item():.4f}")
