import pathlib

import pandas as pd
import torch

DATA = pathlib.Path(__file__).parent / "data"


def load_plants(test_share=0.25, seed=0):
    both = pd.read_csv(DATA / "measurements.csv").merge(pd.read_csv(DATA / "labels.csv"), on="plant")
    both = both.sample(frac=1, random_state=seed)
    x = torch.tensor(both.drop(columns=["plant", "species"]).to_numpy(), dtype=torch.float)
    y = torch.from_numpy(both["species"].to_numpy(copy=True))
    n_test = int(len(x) * test_share)
    center, scale = x[n_test:].mean(0), x[n_test:].std(0)
    x = (x - center) / scale
    return (x[n_test:], y[n_test:]), (x[:n_test], y[:n_test])
