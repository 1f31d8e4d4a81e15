# second round for the digit reader: starts from the weights of the first round
import os

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

here = os.path.dirname(os.path.abspath(__file__))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, padding=1)
        self.fc = nn.Linear(8 * 16, 10)

    def forward(self, x):
        return self.fc(F.max_pool2d(F.relu(self.conv(x)), 2).flatten(1))


torch.manual_seed(6)
device = torch.device("cpu")
bunch = load_digits()
x = torch.tensor(bunch.images, dtype=torch.float32, device=device).unsqueeze(1) / 16
y = torch.tensor(bunch.target, device=device)
x, y, x_test, y_test = x[:1400], y[:1400], x[1400:], y[1400:]

reader = Reader().to(device)
weights = torch.load(os.path.join(here, "digits_v1.pt"), weights_only=True)
reader.load_state_dict(weights)
optimizer = torch.optim.SGD(reader.parameters(), lr=0.05, momentum=0.9)

for epoch in range(4):
    total = 0.0
    for rows in torch.randperm(len(x)).split(50):
        loss = F.cross_entropy(reader(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch} loss {total / 28:.4f}")

with torch.no_grad():
    print(f"test accuracy {(reader(x_test).argmax(1) == y_test).float().mean().item():.3f}")
