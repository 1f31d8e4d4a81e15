import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Remaining(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.GRU(2, 16, batch_first=True)
        self.hours = nn.Linear(16, 1)

    def forward(self, x):
        _, h = self.encode(x)
        return torch.sigmoid(self.hours(h[-1])).squeeze(1)


def discharges(n, g):
    """Ten readings of voltage and current, and the hours left (0 to 9)."""
    left = 9 * torch.rand(n, 1, generator=g)
    current = 0.5 + torch.rand(n, 10, generator=g)
    voltage = 3.0 + 0.12 * left - 0.05 * current + 0.01 * torch.randn(n, 10, generator=g)
    return TensorDataset(torch.stack([(voltage - 3.5) * 3, current - 1], 2), left.squeeze(1))


def run_epoch(model, loader, opt):
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.smooth_l1_loss(model(x), y)
        loss.backward()
        opt.step()
    return loss.item()


torch.manual_seed(4)
g = torch.Generator().manual_seed(41)
train, test = discharges(960, g), discharges(240, g)
model = Remaining()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
loader = DataLoader(train, batch_size=48, shuffle=True)
for epoch in range(1, 21):
    loss = run_epoch(model, loader, opt)
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss:.4f}")
with torch.no_grad():
    x, y = test.tensors
    print(f"mean error {(model(x) - y).abs().mean().item():.3f} h")
