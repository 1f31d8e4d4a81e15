from .core import Trainer
from .hooks import History, Plateau

__all__ = ["Trainer", "History", "Plateau"]
