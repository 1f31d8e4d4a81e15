"""Low signal to noise (returns prediction): the loss falls from 1.6 to about 1.0, which is the noise. Batch 8, so it is ragged. Early stopping."""
import copy
import torch
from torch import nn
torch.manual_seed(0)
X = torch.randn(6000, 12)
w = torch.randn(12); w = w / w.norm()
y = (0.8 * (X @ w) + torch.randn(6000)).unsqueeze(-1)
Xv, yv = X[5000:], y[5000:]
model = nn.Linear(12, 1)
opt = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
best, best_state, bad = float("inf"), None, 0
for epoch in range(20):
    model.train()
    for i in torch.randperm(5000)[:800].split(8):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(X[i]), y[i])
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        v = nn.functional.mse_loss(model(Xv), yv).item()
    print(epoch, f"last batch {loss.item():.3f} val {v:.4f}")
    if v < best - 1e-3:
        best, best_state, bad = v, copy.deepcopy(model.state_dict()), 0
    else:
        bad += 1
        if bad >= 3:
            break
model.load_state_dict(best_state)
print("best", best, "noise", 1.0, "corr", torch.corrcoef(torch.stack([model(Xv)[:, 0].detach(), yv[:, 0]]))[0, 1].item())
