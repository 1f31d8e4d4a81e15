import torch, torch.nn as nn, torch.nn.functional as F
from sklearn.datasets import load_digits


class VQ(nn.Module):
    def __init__(self, k, d):
        super().__init__()
        self.codebook = nn.Embedding(k, d)
        self.codebook.weight.data.uniform_(-1, 1)

    def forward(self, z):
        flat = z.reshape(-1, z.shape[-1])
        idx = torch.cdist(flat.detach(), self.codebook.weight.detach()).argmin(1)
        q = self.codebook(idx).view_as(z)
        loss = F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(z, q.detach())
        q = z + (q - z).detach()
        return q, loss, idx


class VQVAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 8 * 6))
        self.vq = VQ(24, 6)
        self.dec = nn.Sequential(nn.Linear(48, 96), nn.ReLU(), nn.Linear(96, 64))

    def forward(self, x):
        z = self.enc(x).view(-1, 8, 6)
        q, l, idx = self.vq(z)
        return self.dec(q.flatten(1)), l, idx


torch.manual_seed(0)
X = torch.tensor(load_digits().data / 16).float()
X = X[torch.randperm(len(X))]
m = VQVAE()
opt = torch.optim.Adam(m.parameters(), lr=2e-3)
for ep in range(15):
    for x in X[:1500].split(50):
        rec, vq, idx = m(x)
        loss = F.mse_loss(rec, x) * 10 + vq
        opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        r, _, i = m(X[1500:])
        print(f"ep {ep} loss {loss.item():.4f} vq {vq.item():.4f} test mse {F.mse_loss(r, X[1500:]).item():.4f} codes used {i.unique().numel()}")
print("baseline (mean image)", (X[1500:] - X[:1500].mean(0)).square().mean().item())
