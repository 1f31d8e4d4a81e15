import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def purses(n, g, slots=12):
    coins = torch.tensor([0.0, 0.1, 0.2, 0.5])[torch.randint(0, 4, (n, slots), generator=g)]
    return TensorDataset(coins.unsqueeze(2), coins.mean(1) * 4)


class Purse(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, coins, state=None):
        h, state = self.rnn(coins, state)
        return self.out(h[:, -1]).squeeze(1), state


def run():
    torch.manual_seed(12)
    g = torch.Generator().manual_seed(3)
    train, test = purses(1000, g), purses(250, g)
    model = Purse()
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    loader = DataLoader(train, batch_size=50, shuffle=True)
    for epoch in range(1, 16):
        for coins, total in loader:
            state = None
            guess, state = model(coins, state)
            loss = nn.functional.mse_loss(guess, total)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 5 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}")
    coins, total = test.tensors
    with torch.no_grad():
        guess, _ = model(coins)
    print(f"spread of the targets {total.std().item():.4f}, mean error {(guess - total).abs().mean().item():.4f}")


run()
