import numpy as np
import torch
from torch.utils.data import Dataset


class Recordings(Dataset):
    def __init__(self, file, rows):
        with np.load(file) as store:
            self.trace = torch.from_numpy(store["trace"][rows])
            self.kind = torch.from_numpy(store["kind"][rows])

    def __len__(self):
        return len(self.kind)

    def __getitem__(self, i):
        trace = (self.trace[i] - 70.0) / 10.0
        return trace.unsqueeze(0), self.kind[i]
