import numpy as np


class Pocket:
    def __init__(self, width, seed):
        self.rng = np.random.default_rng(seed)
        self.w = np.zeros(width)
        self.best, self.best_hits = np.zeros(width), 0.0

    def hits(self, w, x, y):
        return np.mean(np.sign(x @ w) == y)

    def fit(self, x, y, steps):
        for step in range(1, steps + 1):
            k = self.rng.integers(len(x))
            if np.sign(x[k] @ self.w) != y[k]:
                self.w += y[k] * x[k]
                hits = self.hits(self.w, x, y)
                if hits > self.best_hits:
                    self.best, self.best_hits = self.w, hits
            if step % 400 == 0:
                print(f"step {step} best so far {self.best_hits:.3f}")


def crystals(n, rng):
    x = np.c_[np.ones(n), rng.normal(0, 1, (n, 9))]
    y = np.sign(x[:, 1] + 0.7 * x[:, 2] - 0.4 * x[:, 3] + 0.1 + rng.normal(0, 0.6, n))
    return x, y


if __name__ == "__main__":
    rng = np.random.default_rng(6)
    x, y = crystals(500, rng)
    xt, yt = crystals(2000, rng)
    machine = Pocket(10, seed=6)
    machine.fit(x, y, 2000)
    print(f"delivered: training {machine.hits(machine.best, x, y):.3f}, test {machine.hits(machine.best, xt, yt):.3f}")
