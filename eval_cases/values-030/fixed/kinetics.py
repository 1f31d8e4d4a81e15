import torch
from torch import nn

torch.set_default_dtype(torch.float64)  # rate constants over nine decades need it
torch.manual_seed(1)


def simulate(log_k, dt=1.0, steps=40):
    """Backward Euler for A -> B (fast), B -> C (slow), with reversible first step."""
    k1, k2, k3 = torch.exp(log_k)
    zero = torch.zeros(())
    a = torch.stack([
        torch.stack([-k1, k2, zero]),
        torch.stack([k1, -k2 - k3, zero]),
        torch.stack([zero, k3, zero]),
    ])
    step = torch.linalg.inv(torch.eye(3) - dt * a)
    state, out = torch.tensor([1.0, 0.0, 0.0]), []
    for _ in range(steps):
        state = step @ state
        out.append(state)
    return torch.stack(out)


true = torch.log(torch.tensor([4e3, 2e3, 3e-2]))
observed = simulate(true) + 1e-4 * torch.randn(40, 3)
log_k = nn.Parameter(torch.log(torch.tensor([4e2, 9e2, 3e-1])))
opt = torch.optim.Adam([log_k], lr=0.05)
for step in range(1, 161):
    opt.zero_grad()
    loss = (simulate(log_k) - observed).pow(2).mean()
    loss.backward()
    opt.step()
    if step % 40 == 0:
        print(f"step {step} loss {loss.item():.3e}")
with torch.no_grad():
    ratio = torch.exp(log_k[0] - log_k[1]).item()
print(f"equilibrium constant {ratio:.3f} (true 2.000), slow rate {log_k[2].exp().item():.5f} (true 0.03000)")
