import json
import pathlib

import torch

from digits.data import loaders
from digits.engine import Engine
from digits.model import build


def main():
    cfg = json.loads((pathlib.Path(__file__).parent / "config.json").read_text())
    torch.manual_seed(cfg["train"]["seed"])
    tr, te = loaders(cfg["data"], cfg["train"]["seed"])
    t = cfg["train"]
    eng = Engine(build(**cfg["model"]), t["lr"], t["momentum"], t["accumulate"])
    print("before", eng.test(te))
    for e in range(t["epochs"]):
        loss = eng.train_epoch(tr)
        print(f"[{e:02d}] train {loss:.4f}  test acc {eng.test(te):.4f}")


if __name__ == "__main__":
    main()
