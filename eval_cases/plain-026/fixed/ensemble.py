"""Deep ensemble trained all at once: torch.func (functional_call, grad, vmap); no .backward(), no optimizer."""
import copy

import torch
from torch import nn
from torch.func import functional_call, grad_and_value, stack_module_state, vmap

torch.manual_seed(0)
K, LR = 8, 0.15
x = torch.rand(400, 1) * 4 - 2
y = torch.sin(2 * x) + 0.05 * torch.randn_like(x)
nets = [nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1)) for _ in range(K)]
params, buffers = stack_module_state(nets)
params = {k: v.detach() for k, v in params.items()}
base = copy.deepcopy(nets[0]).to("meta")


def loss_fn(p, b, xb, yb):
    return ((functional_call(base, (p, b), (xb,)) - yb) ** 2).mean()


step = vmap(grad_and_value(loss_fn), in_dims=(0, 0, 0, 0))
mom = {k: torch.zeros_like(v) for k, v in params.items()}
for it in range(900):
    idx = torch.randint(0, 400, (K, 64))
    g, l = step(params, buffers, x[idx], y[idx])
    for k in params:
        mom[k] = 0.9 * mom[k] + g[k]
        params[k] = params[k] - LR * 0.2 * mom[k]
    if it % 100 == 0:
        print(it, "mean loss", l.mean().item(), "worst", l.max().item())
grid = torch.linspace(-2, 2, 50)[:, None]
pred = vmap(lambda p, b: functional_call(base, (p, b), (grid,)))(params, buffers)
print("rmse of the mean", (pred.mean(0) - torch.sin(2 * grid)).pow(2).mean().sqrt().item(), "spread", pred.std(0).mean().item())
