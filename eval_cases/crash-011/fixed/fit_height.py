import numpy as np
import torch
import torch.nn as nn

np.random.seed(3)
torch.manual_seed(3)
age = np.random.uniform(2, 18, 300)
girl = np.random.randint(0, 2, 300)
height = 75 + 6.2 * age - 0.03 * age**2 - 3.0 * girl + np.random.normal(0, 3, 300)

X = torch.tensor(np.stack([(age - 10) / 5, girl], axis=1), dtype=torch.float32)
Y = torch.tensor((height[:, None] - 130) / 30, dtype=torch.float32)
X_train, Y_train, X_test, Y_test = X[:240], Y[:240], X[240:], Y[240:]

model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)

for epoch in range(200):
    prediction = model(X_train)
    loss = nn.MSELoss()(prediction, Y_train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (epoch + 1) % 50 == 0:
        print("epoch", epoch + 1, "loss", loss.item())

with torch.no_grad():
    error = 30 * (model(X_test) - Y_test).abs().mean()
print(f"mean error {error:.1f} cm")
