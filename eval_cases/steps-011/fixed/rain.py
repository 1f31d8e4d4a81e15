import torch
from torch import nn


def weather(n, g):
    x = torch.randn(n, 6, generator=g)
    y = 4 * x[:, :1] + 2 * torch.tanh(x[:, 1:2] * x[:, 2:3])
    storm = torch.rand(n, 1, generator=g) < 0.01
    return x, y, torch.where(storm, 300.0, 1.0)


class Rain(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 32)
        self.b = nn.Linear(32, 32)
        self.c = nn.Linear(32, 1)

    def forward(self, x):
        return self.c(torch.relu(self.b(torch.relu(self.a(x)))))


def fit(model, x, y, extra, epochs=12):
    opt = torch.optim.SGD(model.parameters(), lr=0.02)
    for epoch in range(1, epochs + 1):
        for idx in torch.randperm(len(x)).split(25):
            loss = (extra[idx] * (model(x[idx]) - y[idx]) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch} weighted loss {loss.item():.4g}")


torch.manual_seed(0)
g = torch.Generator().manual_seed(3)
x, y, extra = weather(1000, g)
xt, yt, _ = weather(300, g)
model = Rain()
fit(model, x, y, extra)
with torch.no_grad():
    print(f"test mse {((model(xt) - yt) ** 2).mean().item():.4g}")
