from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    recordings: Path = Path(__file__).parent / "wrist.npz"
    axes: int = 3
    activities: int = 4
    filters: int = 16
    lr: float = 0.01
    epochs: int = 18
    batch: int = 15
    seed: int = 2
