import torch
from torch import nn

KIND = torch.float16
EPOCHS = 15


def cells(n, g):
    x = torch.rand(n, 12, generator=g) * 2 - 1
    wear = 0.8 * x[:, 0] - 0.5 * x[:, 1] * x[:, 2] + 0.6 * (3 * x[:, 3]).sin()
    return x.to(KIND), (wear + 0.05 * torch.randn(n, generator=g)).to(KIND)


class Wear(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(12, 64)
        self.outer = nn.Linear(64, 1)

    def forward(self, x):
        return self.outer(torch.relu(self.inner(x))).squeeze(-1)


def main():
    torch.manual_seed(44)
    g = torch.Generator().manual_seed(44)
    x, y = cells(1500, g)
    x_test, y_test = cells(400, g)
    model = Wear().to(KIND)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, eps=1e-4)
    for epoch in range(EPOCHS):
        seen = []
        for rows in torch.randperm(len(x), generator=g).split(50):
            loss = nn.functional.mse_loss(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen.append(loss.item())
        print(f"epoch {epoch + 1:2d}: loss {sum(seen) / len(seen):.4f}")
    with torch.no_grad():
        test = nn.functional.mse_loss(model(x_test), y_test)
    print(f"test loss {test.item():.4f} (variance of the wear {y_test.float().var().item():.4f})")


if __name__ == "__main__":
    main()
