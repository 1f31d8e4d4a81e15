import torch
from torch import nn

ITEMS = 5000


class Basket(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.item = nn.Embedding(ITEMS, dim)
        nn.init.normal_(self.item.weight, std=0.3)
        self.out = nn.Linear(dim, 4)

    def forward(self, ids):
        return self.out(self.item(ids).mean(1))


def baskets(n):
    group = torch.randint(0, 4, (n,))
    own = torch.randint(0, 60, (n, 4)) * 8 + group[:, None]
    other = torch.randint(0, 60, (n, 2)) * 8 + 4
    return torch.cat([own, other], 1) * 10 + 100, group


torch.manual_seed(45)
x, y = baskets(1600)
xt, yt = baskets(400)
net = Basket()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, 9):
    for rows in torch.randperm(len(x)).split(50):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
