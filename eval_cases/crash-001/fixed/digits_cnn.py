import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(1)
digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).div(16).unsqueeze(1)
targets = torch.tensor(digits.target)
x_train, x_test, y_train, y_test = train_test_split(images, targets, test_size=0.25, random_state=1)

model = nn.Sequential(
    nn.Conv2d(1, 16, kernel_size=3),
    nn.BatchNorm2d(16),
    nn.ReLU(),
    nn.Conv2d(16, 24, kernel_size=3),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Linear(24 * 2 * 2, 10),
)
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
criterion = nn.CrossEntropyLoss()

model.train()
for epoch in range(4):
    perm = torch.randperm(len(x_train))
    running = 0.0
    for i in range(0, len(perm) - 47, 48):
        idx = perm[i:i + 48]
        optimizer.zero_grad()
        loss = criterion(model(x_train[idx]), y_train[idx])
        loss.backward()
        optimizer.step()
        running += loss.item() * len(idx)
    print(f"epoch {epoch + 1} loss {running / len(perm):.4f}")

model.eval()
with torch.no_grad():
    sample, truth = x_test[:1], y_test[0]
    guess = model(sample).argmax(-1).item()
    print(f"first test digit: {truth.item()}, read as {guess}")
    accuracy = (model(x_test).argmax(dim=1) == y_test).float().mean().item()
print(f"test accuracy {accuracy:.3f}")
