import torch
from leaf_data import Leaves
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(3)
train = DataLoader(Leaves(250, seed=1), batch_size=10)
test = DataLoader(Leaves(60, seed=2), batch_size=100)
model = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 5))
optimizer = torch.optim.SGD(model.parameters(), lr=0.08)

for epoch in range(6):
    model.train()
    curve = []
    for measures, species in train:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(measures), species)
        loss.backward()
        optimizer.step()
        curve.append(loss.item())
    print(f"epoch {epoch}: lowest {min(curve):.3f} highest {max(curve):.3f}")

model.eval()
right = sum((model(m).argmax(1) == s).sum().item() for m, s in test)
print(f"test accuracy {right / 300:.3f}")
