import torch
from sklearn.datasets import load_digits
from torch import nn, optim

torch.manual_seed(42)

digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16.0
labels = torch.tensor(digits.target)

shuffle = torch.randperm(len(images))
images, labels = images[shuffle], labels[shuffle]
images = (images - images[:1400].mean()) / images[:1400].std()
x_train, y_train = images[:1400], labels[:1400]
x_test, y_test = images[1400:], labels[1400:]

model = nn.Sequential(
    nn.Conv2d(1, 12, 3, padding=1),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(12, 24, 3, padding=1),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Dropout(0.25),
    nn.Linear(24 * 2 * 2, 10),
    nn.LogSoftmax(dim=1),
)
criterion = nn.NLLLoss()
optimizer = optim.Adam(model.parameters(), lr=0.003)

batch_size = 64
for epoch in range(8):
    model.train()
    running = 0.0
    perm = torch.randperm(len(x_train))
    for start in range(0, len(perm), batch_size):
        idx = perm[start:start + batch_size]
        optimizer.zero_grad()
        output = model(x_train[idx])
        loss = criterion(output, y_train[idx])
        loss.backward()
        optimizer.step()
        running += loss.item() * len(idx)
    print(f"Epoch {epoch + 1}: train loss {running / len(perm):.4f}")

model.eval()
with torch.no_grad():
    output = model(x_test)
    test_loss = criterion(output, y_test).item()
    correct = (output.argmax(dim=1) == y_test).sum().item()
print(f"Test loss {test_loss:.4f}, accuracy {correct / len(y_test):.4f}")
