"""Discrete autoencoder (Gumbel-softmax) + one epoch only; temperature is annealed; hard samples."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
centres = torch.randn(8, 16) * 2
lab = torch.randint(0, 8, (12000,))
X = centres[lab] + 0.3 * torch.randn(12000, 16)
loader = DataLoader(TensorDataset(X), batch_size=40, shuffle=False)      # already random order
enc = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 16))
dec = nn.Linear(16, 16, bias=False)
opt = torch.optim.Adam(list(enc.parameters()) + list(dec.parameters()), lr=1e-2)
for i, (x,) in enumerate(loader):
    tau = max(0.5, 2.0 * 0.99 ** i)
    logits = enc(x)
    z = F.gumbel_softmax(logits, tau=tau, hard=True)
    q = logits.softmax(-1).mean(0)
    loss = F.mse_loss(dec(z), x) + 0.05 * (q * (q + 1e-9).log()).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 30 == 0:
        print(i, f"tau {tau:.2f} loss {loss.item():.4f}")
with torch.no_grad():
    code = enc(X).argmax(1)
    pur = sum(torch.bincount(lab[code == c], minlength=8).max().item() for c in code.unique()) / len(X)
print("one epoch done; purity", pur, "codes", code.unique().numel())
