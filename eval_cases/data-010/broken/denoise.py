import pathlib
import tomllib

import numpy as np
import torch
from torch import nn

CONF = tomllib.loads(pathlib.Path(__file__).with_name("denoise.toml").read_text())


def pulses(n, rng):
    t = np.linspace(-1, 1, 20)
    centre, width = rng.uniform(-0.6, 0.6, (n, 1)), rng.uniform(0.15, 0.4, (n, 1))
    return torch.tensor(np.exp(-(((t - centre) / width) ** 2)), dtype=torch.float32)


class Noise:
    def __init__(self, level, seed, per):
        self.level, self.seed, self.per = level, seed, per
        self.rng = np.random.default_rng(seed)

    def __call__(self, clean):
        if self.per == "batch":
            self.rng = np.random.default_rng(self.seed)
        return clean + torch.from_numpy(self.rng.normal(0, self.level, clean.shape)).float()


def main():
    torch.manual_seed(1)
    clean, clean_test = pulses(800, np.random.default_rng(1)), pulses(300, np.random.default_rng(2))
    add_noise = Noise(**CONF["noise"])
    width = CONF["model"]["width"]
    net = nn.Sequential(nn.Linear(20, width), nn.GELU(), nn.Linear(width, width), nn.GELU(), nn.Linear(width, 20))
    opt = torch.optim.Adam(net.parameters(), lr=CONF["train"]["lr"])
    size = CONF["train"]["batch"]
    for epoch in range(CONF["train"]["epochs"]):
        for start in range(0, len(clean), size):
            batch = clean[start : start + size]
            loss = nn.functional.mse_loss(net(add_noise(batch)), batch)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1} training loss {loss.item():.4f}")
    noisy = clean_test + 0.5 * torch.randn(clean_test.shape)
    with torch.no_grad():
        print(f"test error {nn.functional.mse_loss(net(noisy), clean_test).item():.4f}, noise power {0.25}")


main()
