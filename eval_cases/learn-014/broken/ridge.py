import numpy as np


class Sensor:
    """Calibration of 24 channels, one noisy reading at a time."""

    def __init__(self, channels, seed):
        self.rng = np.random.default_rng(seed)
        self.true = self.rng.normal(0, 1, channels)

    def reading(self):
        a = self.rng.normal(0, 1, len(self.true))
        return a, a @ self.true + self.rng.normal(0, 1.0)


class Calibration:
    def __init__(self, channels, rate, decay):
        self.w = np.zeros(channels)
        self.rate, self.decay, self.count = rate, decay, 0

    def update(self, a, value):
        self.count += 1
        step = self.rate / (1 + self.decay * self.count)
        self.w -= step * (a @ self.w - value) * a


def main():
    sensor = Sensor(24, seed=3)
    fit = Calibration(24, rate=0.03, decay=0.0)
    for k in range(1, 6001):
        fit.update(*sensor.reading())
        if k % 750 == 0:
            print(f"reading {k} error of the weights {np.mean((fit.w - sensor.true) ** 2):.5f}")


main()
