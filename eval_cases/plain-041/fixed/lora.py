"""LoRA: frozen pre-trained MLP, low-rank adapters (B starts at zero, so A's first gradient is zero)."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class LoRALinear(nn.Module):
    def __init__(self, base, r=4, alpha=8):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, base.in_features) / base.in_features ** 0.5)
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        self.scale = alpha / r

    def forward(self, x):
        return self.base(x) + self.scale * F.linear(F.linear(x, self.A), self.B)


def wrap(m):
    for n, c in m.named_children():
        if isinstance(c, nn.Linear):
            setattr(m, n, LoRALinear(c))
        else:
            wrap(c)
    return m


def fit(m, x, y, steps, lr, tag):
    opt = torch.optim.AdamW([p for p in m.parameters() if p.requires_grad], lr=lr, weight_decay=0)
    for s in range(steps):
        i = torch.randint(0, len(x), (64,))
        loss = F.cross_entropy(m(x[i]), y[i])
        opt.zero_grad(); loss.backward(); opt.step()
        if s % 50 == 0: print(tag, s, f"{loss.item():.4f}")
    with torch.no_grad():
        print(tag, "acc", (m(x).argmax(1) == y).float().mean().item())


torch.manual_seed(0)
W = torch.randn(20, 5)
x1, x2 = torch.randn(3000, 20), torch.randn(3000, 20)
y1 = (x1.relu() @ W).argmax(1)
W2 = W + 1.2 * torch.randn(20, 2) @ torch.randn(2, 5)
y2 = (x2.relu() @ W2).argmax(1)
net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 5))
fit(net, x1, y1, 200, 3e-3, "base")
print("trainable", sum(p.numel() for p in wrap(net).parameters() if p.requires_grad))
fit(net, x2, y2, 300, 5e-3, "lora")
