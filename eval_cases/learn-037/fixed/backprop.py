import numpy as np


class Net:
    def __init__(self, n_in, n_hid, rng):
        self.w1, self.b1 = rng.normal(0, n_in**-0.5, (n_in, n_hid)), np.zeros(n_hid)
        self.w2, self.b2 = rng.normal(0, n_hid**-0.5, (n_hid, 1)), np.zeros(1)

    def forward(self, x):
        self.x = x
        self.h = np.tanh(x @ self.w1 + self.b1)
        return self.h @ self.w2 + self.b2

    def backward(self, delta):
        grad_h = delta @ self.w2.T
        pre = grad_h * (1 - self.h**2)
        return [self.x.T @ pre, pre.sum(0), self.h.T @ delta, delta.sum(0)]

    def update(self, grads, rate):
        for p, g in zip((self.w1, self.b1, self.w2, self.b2), grads):
            p -= rate * g


def pump(n, rng):
    x = rng.normal(size=(n, 3))
    return x, np.sin(2 * x[:, :1]) + x[:, 1:2] * x[:, 2:]


rng = np.random.default_rng(5)
x, y = pump(600, rng)
xt, yt = pump(300, rng)
net = Net(3, 40, rng)
for epoch in range(1, 101):
    for rows in np.array_split(rng.permutation(600), 20):
        out = net.forward(x[rows])
        net.update(net.backward(2 * (out - y[rows]) / len(rows)), rate=0.08)
    if epoch % 20 == 0:
        print(f"epoch {epoch} mse {np.mean((net.forward(x) - y) ** 2):.4f}")
print(f"test mse {np.mean((net.forward(xt) - yt) ** 2):.4f}, variance {yt.var():.3f}")
