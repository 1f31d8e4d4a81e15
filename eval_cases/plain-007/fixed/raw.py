import torch
from sklearn.datasets import load_digits

# No nn.Module and no torch.optim: everything by hand.
g = torch.Generator().manual_seed(0)
d = load_digits()
X = torch.tensor(d.data, dtype=torch.float32) / 16 - 0.3
Y = torch.tensor(d.target)
perm = torch.randperm(len(X), generator=g)
X, Y = X[perm], Y[perm]
Xtr, Ytr, Xva, Yva = X[:1400], Y[:1400], X[1400:], Y[1400:]

W1 = torch.randn(64, 80, generator=g) * (2 / 64) ** 0.5
b1 = torch.zeros(80)
W2 = torch.randn(80, 10, generator=g) * 0.01
b2 = torch.zeros(10)
params = [W1, b1, W2, b2]
for p in params:
    p.requires_grad = True


def forward(x):
    return (x @ W1 + b1).clamp_min(0) @ W2 + b2


def ce(logits, y):
    logits = logits - logits.max(1, keepdim=True).values
    logp = logits - logits.exp().sum(1, keepdim=True).log()
    return -logp[torch.arange(len(y)), y].mean()


lr, step = 0.5, 0
for epoch in range(15):
    lr = 0.5 if epoch < 10 else 0.05
    for i in torch.randperm(len(Xtr), generator=g).split(64):
        loss = ce(forward(Xtr[i]), Ytr[i])
        for p in params:
            p.grad = None
        loss.backward()
        with torch.no_grad():
            for p in params:
                p -= lr * p.grad
        step += 1
    with torch.no_grad():
        va = (forward(Xva).argmax(1) == Yva).float().mean()
    print(f"{epoch} steps={step} loss={loss.item():.4f} val={va:.3f}")
