import numpy as np


class Recordings:
    """Vibration windows with their fault flag; windows with a dropout of the sensor are left out."""

    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.flag = rng.integers(0, 2, n)
        t = np.linspace(0, 1, 24)
        phase = rng.uniform(0, 6.28, (n, 1))
        self.window = np.sin(6.28 * 3 * t + phase) + self.flag[:, None] * 0.6 * np.sin(6.28 * 9 * t + phase)
        self.window += rng.normal(0, 0.3, self.window.shape)
        self.window[rng.random(n) < 0.15, 5] = np.nan

    def usable(self):
        ok = np.isfinite(self.window).all(1)
        window, flag = self.window[ok], self.flag[ok]
        return window.astype("float32"), flag.astype("float32")
