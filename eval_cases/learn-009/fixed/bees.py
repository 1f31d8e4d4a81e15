import torch
from torch import nn


class Hive(nn.Module):
    def __init__(self, n_in, n_hid):
        super().__init__()
        self.w1, self.b1 = nn.Parameter(0.3 * torch.randn(n_in, n_hid)), nn.Parameter(torch.zeros(n_hid))
        self.w2, self.b2 = nn.Parameter(0.3 * torch.randn(n_hid, 1)), nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return (torch.relu(x @ self.w1 + self.b1) @ self.w2 + self.b2).squeeze(1)


torch.manual_seed(1)
x = torch.randn(1000, 5)
swarm = ((x[:, 0] > 0) ^ (x[:, 1] > 0)).float()
hive = Hive(5, 32)
opt = torch.optim.Adam(hive.parameters(), lr=0.01)
for epoch in range(1, 21):
    for rows in torch.randperm(800).split(40):
        opt.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(hive(x[rows]), swarm[rows])
        loss.backward()
        opt.step()
    if epoch % 4 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {((hive(x[800:]) > 0).float() == swarm[800:]).float().mean().item():.3f}")
