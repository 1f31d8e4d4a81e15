"""Remaining life of a pump from the last readings of its sensors."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def histories(n, steps, seed):
    g = torch.Generator().manual_seed(seed)
    wear = torch.rand(n, 1, generator=g)
    t = torch.linspace(0, 1, steps)
    heat = wear * t + 0.1 * torch.randn(n, steps, generator=g)
    shake = wear**2 * t**2 + 0.1 * torch.randn(n, steps, generator=g)
    flow = 1 - 0.3 * wear + 0.1 * torch.randn(n, steps, generator=g)
    return torch.stack([heat, shake, flow], dim=2), 1 - wear


class LifeModel(nn.Module):
    def __init__(self, sensors, hidden, layers=1):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.lstm = nn.LSTM(sensors, hidden, layers)
        self.head = nn.Linear(hidden, 1)

    def start(self, batch):
        shape = (self.layers, batch, self.hidden)
        return torch.zeros(shape), torch.zeros(shape)

    def forward(self, x):
        out, _ = self.lstm(x, self.start(x.size(0)))
        return self.head(out[:, -1])


def epoch(model, loader, optimizer=None):
    total = 0.0
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item() * len(x)
    return total / len(loader.dataset)


def main():
    torch.manual_seed(3)
    train = DataLoader(TensorDataset(*histories(400, 20, 1)), batch_size=25, shuffle=True)
    valid = DataLoader(TensorDataset(*histories(100, 20, 2)), batch_size=50)
    model = LifeModel(sensors=3, hidden=24)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for i in range(8):
        fitted = epoch(model, train, optimizer)
        with torch.no_grad():
            held = epoch(model, valid)
        print(f"{i} train {fitted:.4f} valid {held:.4f}")
    print(f"valid rmse {held ** 0.5:.3f} of a life")


if __name__ == "__main__":
    main()
