import time

import numpy as np


class Journal:
    def __init__(self, width):
        self.rows = np.empty((0, width))
        self.width = width

    def add(self, row):
        self.rows = np.append(self.rows, row[None], axis=0)

    def table(self):
        return np.array(self.rows).reshape(-1, self.width)


rng = np.random.default_rng(9)
true = rng.normal(0, 1, (6, 60))
weights = np.zeros((6, 60))
journal = Journal(62)
start = time.perf_counter()
for k in range(1, 4001):
    context = rng.normal(0, 1, 60) / 8
    arm = int(np.argmax(weights @ context)) if rng.random() > 0.1 else int(rng.integers(6))
    gain = true[arm] @ context + rng.normal(0, 0.1)
    weights[arm] += 0.5 * (gain - weights[arm] @ context) * context
    journal.add(np.concatenate([context, [arm, gain]]))
    if k % 1000 == 0:
        print(f"round {k} {1000 * (time.perf_counter() - start):.1f} ms")
        start = time.perf_counter()
table = journal.table()
print(f"mean gain of the last 1000 rounds {table[-1000:, 61].mean():.3f}")
