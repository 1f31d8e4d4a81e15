import numpy as np


class CellStream:
    def __init__(self, traces, target, augment, seed):
        self.traces, self.target, self.augment = traces, target, augment
        self.rng = np.random.default_rng(seed)

    def changed(self, i):
        trace = self.traces[i]
        if self.augment["own_copy"]:
            trace = trace.copy()
        trace *= self.rng.uniform(*self.augment["gain"])
        trace += self.rng.normal(0, self.augment["offset"])
        return trace

    def batches(self, size):
        order = self.rng.permutation(len(self.traces))
        for k in range(0, len(order), size):
            rows = order[k : k + size]
            yield np.stack([self.changed(i) for i in rows]), self.target[rows]
