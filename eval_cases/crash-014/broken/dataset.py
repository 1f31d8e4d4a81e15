import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

FORMS = ("round", "wide", "tall")


class Scans(Dataset):
    def __init__(self, folder: Path):
        archive = np.load(folder / "scans.npz")
        self.pixels = dict(zip(archive["names"].tolist(), archive["pixels"]))
        with open(folder / "index.csv", newline="") as f:
            self.rows = [(r["scan"], FORMS.index(r["form"])) for r in csv.DictReader(f)]

    def __len__(self):
        return len(self.rows)

    def read(self, scan):
        if scan in self.pixels:
            return torch.tensor(self.pixels[scan], dtype=torch.float32).div_(255).unsqueeze_(0)

    def __getitem__(self, i):
        scan, form = self.rows[i]
        return self.read(scan), form
