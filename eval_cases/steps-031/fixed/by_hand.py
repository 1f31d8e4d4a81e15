import torch

torch.manual_seed(18)
x = torch.randn(600, 5)
y = (x[:, 0] * x[:, 1] > 0).float()[:, None]
xt = torch.randn(300, 5)
yt = (xt[:, 0] * xt[:, 1] > 0).float()[:, None]

w1 = (torch.randn(5, 32) * (2 / 5) ** 0.5).requires_grad_()
b1 = torch.zeros(32, requires_grad=True)
w2 = (torch.randn(32, 1) * (1 / 32) ** 0.5).requires_grad_()
b2 = torch.zeros(1, requires_grad=True)
params = [w1, b1, w2, b2]
rate = 0.3


def logits(v):
    return torch.relu(v @ w1 + b1) @ w2 + b2


for epoch in range(1, 41):
    for rows in torch.randperm(600).split(50):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits(x[rows]), y[rows])
        loss.backward()
        with torch.no_grad():
            for p in params:
                p -= rate * p.grad
                p.grad.zero_()
    if epoch % 10 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {((logits(xt) > 0).float() == yt).float().mean().item():.3f}")
