import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split


def percent_right(model, loader):
    right = total = 0
    with torch.no_grad():
        for images, digits in loader:
            right += (model(images).argmax(dim=1) == digits).sum().item()
            total += len(digits)
    return 100 * right // total


def fit(model, loader, optimizer):
    mean = 0.0
    for images, digits in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), digits)
        loss.backward()
        optimizer.step()
        mean += loss.item() / len(loader)
    return mean


if __name__ == "__main__":
    torch.manual_seed(1)
    bunch = load_digits()
    whole = TensorDataset(torch.tensor(bunch.data).float() / 16, torch.tensor(bunch.target))
    train, test = random_split(whole, [1400, 397])
    model = torch.nn.Sequential(torch.nn.Linear(64, 40), torch.nn.ReLU(), torch.nn.Linear(40, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    batches, held_out = DataLoader(train, 64, shuffle=True), DataLoader(test, 200)
    for epoch in range(10):
        print(epoch, f"loss {fit(model, batches, optimizer):.3f}", f"test accuracy {percent_right(model, held_out)} %")
