import torch
from torch import nn

SCALE = 12


def tunes(n, length=20):
    """Each note follows from the two before it."""
    notes = torch.randint(0, SCALE, (n, length))
    for k in range(2, length):
        notes[:, k] = (notes[:, k - 1] + 2 * notes[:, k - 2] + 3) % SCALE
    return notes


class Composer(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.note = nn.Embedding(SCALE, dim)
        self.conv = nn.Conv1d(dim, 96, kernel_size=2)
        self.out = nn.Linear(96, SCALE)

    def forward(self, notes):
        h = nn.functional.pad(self.note(notes).transpose(1, 2), (1, 0))
        return self.out(torch.relu(self.conv(h)).transpose(1, 2))


def training_loss(model, batch):
    logits = model(batch[:, :-1])
    return nn.functional.cross_entropy(logits.reshape(-1, SCALE), batch[:, 1:].reshape(-1))


@torch.no_grad()
def continued(model, start, steps):
    for _ in range(steps):
        start = torch.cat([start, model(start)[:, -1:].argmax(2)], 1)
    return start


torch.manual_seed(24)
train, test = tunes(800), tunes(100)
model = Composer()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(1, 16):
    for rows in torch.randperm(len(train)).split(50):
        opt.zero_grad()
        loss = training_loss(model, train[rows])
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
tune = continued(model, test[:, :4], 10)
print("first tune:", tune[0].tolist())
print(f"notes continued right {(tune[:, 4:] == test[:, 4:14]).float().mean().item():.3f}")
