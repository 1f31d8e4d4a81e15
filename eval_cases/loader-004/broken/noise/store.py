import sqlite3
from pathlib import Path

import torch
from torch.utils.data import Dataset


class Readings(Dataset):
    """Rows of the station database, read one by one."""

    def __init__(self, path: Path, rows: range):
        self.path = path
        self.rows = rows
        self.db = sqlite3.connect(path)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        query = "SELECT wind, trucks, hour, level FROM reading WHERE id = ?"
        wind, trucks, hour, level = self.db.execute(query, (self.rows[i],)).fetchone()
        turn = torch.tensor((hour - 8) / 24 * 6.2832)
        x = torch.stack([torch.tensor(wind / 6 - 1), torch.tensor(trucks / 45 - 1), turn.sin(), turn.cos()])
        return x, torch.tensor([(level - 58) / 6])
