import numpy as np


class Ladder:
    """Ten rungs; falling costs nothing, the top pays 1 and ends the round."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def round(self):
        rung = 0
        while True:
            up = self.rng.random() < 0.7
            new = rung + 1 if up else max(rung - 1, 0)
            done = new == 9 or self.rng.random() < 0.03
            yield rung, float(new == 9), new, done
            if done:
                return
            rung = new


class Values:
    def __init__(self, rungs, rate, discount):
        self.table = np.zeros(rungs)
        self.rate, self.discount = rate, discount

    def learn(self, rung, reward, new, done):
        ahead = 0.0 if done else self.table[new]
        self.table[rung] += self.rate * (reward + self.discount * ahead - self.table[rung])


ladder = Ladder(2)
values = Values(10, rate=0.1, discount=0.98)
values.table[:] = 0.5
for k in range(1, 801):
    for step in ladder.round():
        values.learn(*step)
    if k % 200 == 0:
        print(f"round {k} values {values.table.round(2).tolist()}")
print(f"value at the start {values.table[0]:.3f}")
