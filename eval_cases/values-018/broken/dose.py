import torch
import torch.nn as nn


class DoseResponse(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.first = nn.Linear(2, hidden)
        self.second = nn.Linear(hidden, hidden)
        self.third = nn.Linear(hidden, 1)
        self.act = nn.Softplus()

    def forward(self, x):
        x = self.first(x)
        x = self.second(x)
        return self.third(x)


def assay(n, generator):
    dose = 4 * torch.rand(n, 1, generator=generator) - 2
    age = torch.rand(n, 1, generator=generator) - 0.5
    response = torch.sigmoid(5 * dose) * 2 - dose ** 2 + age
    return torch.cat([dose, age], 1), response + 0.05 * torch.randn(n, 1, generator=generator)


if __name__ == "__main__":
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(100)
    (x, y), (xv, yv) = assay(800, gen), assay(200, gen)
    model, best = DoseResponse(), float("inf")
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(1, 26):
        for rows in torch.randperm(800).split(40):
            opt.zero_grad()
            loss = nn.functional.mse_loss(model(x[rows]), y[rows])
            loss.backward()
            opt.step()
        with torch.no_grad():
            best = min(best, nn.functional.mse_loss(model(xv), yv).item())
        if epoch % 5 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}")
    print(f"best validation mse {best:.4f}")
