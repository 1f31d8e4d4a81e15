from pathlib import Path

import torch
from torch.utils.data import DataLoader

from noise.fit import Fit
from noise.store import Readings


def main(workers: int = 1, epochs: int = 15) -> None:
    torch.manual_seed(4)
    path = Path(__file__).parent / "stations.db"
    train = DataLoader(
        Readings(path, range(300)),
        batch_size=20,
        shuffle=True,
        num_workers=workers,
        persistent_workers=workers > 0,
        multiprocessing_context="spawn" if workers else None,
    )
    test = DataLoader(Readings(path, range(300, 360)), batch_size=60)
    fit = Fit(lr=5e-3)
    for i in range(epochs):
        mse = fit.epoch(train)
        if i % 5 == 4:
            print(f"epoch {i + 1} mse {mse:.4f}")
    print(f"test rmse {fit.rmse(test):.2f} dB")


if __name__ == "__main__":
    main()
