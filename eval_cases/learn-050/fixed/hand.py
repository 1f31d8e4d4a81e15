import numpy as np


def softmax(z):
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def loss_and_gradient(w, b, x, y):
    p = softmax(x @ w + b)
    n = len(y)
    delta = p.copy()
    delta[np.arange(n), y] -= 1
    return -np.log(p[np.arange(n), y]).mean(), x.T @ delta / n, delta.sum(0) / n


rng = np.random.default_rng(40)
centre = rng.normal(0, 1.5, (4, 6))
y = rng.integers(0, 4, 900)
x = centre[y] + rng.normal(0, 1, (900, 6))
w, b = np.zeros((6, 4)), np.zeros(4)
for step in range(1, 301):
    loss, gw, gb = loss_and_gradient(w, b, x[:700], y[:700])
    w -= 0.3 * gw
    b -= 0.3 * gb
    if step % 60 == 0:
        print(f"step {step} loss {loss:.4f}")
print(f"test accuracy {np.mean((x[700:] @ w + b).argmax(1) == y[700:]):.3f}")
