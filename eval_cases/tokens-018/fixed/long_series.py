import torch
from torch import nn


def load_curve(n):
    """One long hourly series, in order."""
    t = torch.arange(n + 1.0)
    day = torch.sin(2 * torch.pi * t / 24)
    slow = torch.sin(2 * torch.pi * t / 170)
    return day * (1 + 0.4 * slow) + 0.05 * torch.randn(n + 1)


class Online(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, state):
        h, state = self.cell(x, state)
        return self.out(h), state


torch.manual_seed(5)
series = load_curve(2400)
train, test = series[:2000], series[2000:]
net = Online()
opt = torch.optim.Adam(net.parameters(), lr=8e-3)
WINDOW = 40
for epoch in range(1, 9):
    state, total, pieces = None, 0.0, 0
    for start in range(0, len(train) - WINDOW, WINDOW):
        piece = train[start:start + WINDOW + 1]
        guess, state = net(piece[None, :-1, None], state)
        state = tuple(s.detach() for s in state)
        loss = nn.functional.mse_loss(guess.squeeze(), piece[1:])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total, pieces = total + loss.item(), pieces + 1
    if epoch % 2 == 0:
        print(f"pass {epoch} loss {total / pieces:.4f}")
with torch.no_grad():
    guess, _ = net(test[None, :-1, None], state)
print(f"one hour ahead: mse {nn.functional.mse_loss(guess.squeeze(), test[1:]).item():.4f}, variance {test.var().item():.3f}")
