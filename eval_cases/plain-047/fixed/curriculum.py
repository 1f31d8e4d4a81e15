"""Curriculum: counting ones in longer and longer strings. The loss jumps up at each stage, as it should."""
import torch
from torch import nn
torch.manual_seed(0)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(1, 24, batch_first=True)
        self.out = nn.Linear(24, 1)

    def forward(self, x):
        return self.out(self.rnn(x)[0][:, -1])


m = Counter()
opt = torch.optim.Adam(m.parameters(), lr=1e-2)
start = None
for stage, L in enumerate((3, 6, 12, 20)):
    for it in range(80):
        x = (torch.rand(64, L, 1) < 0.5).float()
        y = x.sum(1)
        loss = nn.functional.mse_loss(m(x), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(m.parameters(), 1.0)
        opt.step()
        if it in (0, 79):
            print(f"stage {stage} length {L} it {it} loss {loss.item():.4f}")
with torch.no_grad():
    x = (torch.rand(1000, 20, 1) < 0.5).float()
    print("mae at length 20:", (m(x) - x.sum(1)).abs().mean().item(), "exact", ((m(x) - x.sum(1)).abs() < 0.5).float().mean().item())
