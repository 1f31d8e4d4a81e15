"""DP-SGD: per-sample gradients with torch.func, clipped and noised, then written into p.grad by hand."""
import torch
from torch import nn
from torch.func import functional_call, grad, vmap
from sklearn.datasets import load_digits
torch.manual_seed(0)
d = load_digits()
X, y = torch.tensor(d.data / 16).float(), torch.tensor(d.target)
net = nn.Sequential(nn.Linear(64, 40), nn.Tanh(), nn.Linear(40, 10))
opt = torch.optim.SGD(net.parameters(), lr=2.0, momentum=0.5)
C, SIGMA = 0.5, 0.3


def sample_loss(p, x, t):
    return nn.functional.cross_entropy(functional_call(net, p, (x[None],)), t[None])


per_sample = vmap(grad(sample_loss), in_dims=(None, 0, 0))
for ep in range(8):
    for i in torch.randperm(1400).split(100):
        ps = {k: v.detach() for k, v in net.named_parameters()}
        g = per_sample(ps, X[i], y[i])
        norms = torch.stack([v.flatten(1).norm(dim=1) for v in g.values()]).norm(dim=0)
        scale = (C / norms).clamp(max=1)
        opt.zero_grad()
        for k, p in net.named_parameters():
            s = torch.einsum("b,b...->...", scale, g[k])
            p.grad = (s + SIGMA * C * torch.randn_like(p)) / len(i)
        opt.step()
    with torch.no_grad():
        out = net(X[1400:])
        print(ep, f"test loss {nn.functional.cross_entropy(out, y[1400:]).item():.4f} acc {(out.argmax(1) == y[1400:]).float().mean():.3f} mean grad norm {norms.mean():.3f}")
