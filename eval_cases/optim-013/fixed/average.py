"""Two copies of a regressor see half a batch each; their mean gradient moves the one that is kept."""
import copy

import torch
from torch import nn
from sklearn.datasets import load_diabetes

torch.manual_seed(11)
bunch = load_diabetes()
x = torch.tensor(bunch.data, dtype=torch.float32) * 20
y = torch.tensor(bunch.target, dtype=torch.float32).unsqueeze(1)
y = (y - y.mean()) / y.std()


def network():
    return nn.Sequential(nn.Linear(10, 24), nn.Tanh(), nn.Linear(24, 1))


kept = network()
copies = [copy.deepcopy(kept), copy.deepcopy(kept)]
optimizer = torch.optim.Adam(kept.parameters(), lr=5e-3)

for epoch in range(15):
    for rows in torch.randperm(380).split(38):
        for part, net in zip(rows.chunk(2), copies):
            net.load_state_dict(kept.state_dict())
            for p in net.parameters():
                p.grad = None
            loss = nn.functional.mse_loss(net(x[part]), y[part])
            loss.backward()
        for target, *sources in zip(kept.parameters(), *(net.parameters() for net in copies)):
            target.grad = torch.stack([p.grad for p in sources]).mean(0)
        optimizer.step()
    print(f"epoch {epoch + 1} loss {loss.item():.4f}")
with torch.no_grad():
    error = (kept(x[380:]) - y[380:]).pow(2).mean().item()
print(f"held-out error {error:.3f}")
