import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_moons


class SkipBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Linear(width, width)
        self.b = nn.Linear(width, width)

    def forward(self, x):
        inner = F.relu(self.a(x))
        return x + self.b(inner)


class SkipNet(nn.Module):
    def __init__(self, width=24, depth=2):
        super().__init__()
        self.enter = nn.Linear(2, width)
        self.blocks = nn.ModuleList([SkipBlock(width) for _ in range(depth)])
        self.leave = nn.Linear(width, 2)

    def forward(self, x):
        x = F.relu(self.enter(x))
        for block in self.blocks:
            x = block(x)
        return self.leave(F.relu(x))


def train(model, x, y, epochs=12):
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        for rows in torch.randperm(len(x)).split(32):
            logits = model(x[rows])
            loss = F.cross_entropy(logits, y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1:2d} | loss {loss.item():.4f}")


torch.manual_seed(22)
points, labels = make_moons(800, noise=0.12, random_state=22)
x, y = torch.tensor(points, dtype=torch.float32), torch.tensor(labels)
model = SkipNet()
train(model, x[:600], y[:600])
model.eval()
with torch.no_grad():
    share = (model(x[600:]).argmax(dim=1) == y[600:]).float().mean().item()
print(f"accuracy {share:.3f}")
