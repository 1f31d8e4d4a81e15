import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def loaders(cfg, seed):
    X, y = load_digits(return_X_y=True)
    Xtr, Xte, ytr, yte = train_test_split(X / 16.0, y, test_size=cfg["test_size"], random_state=seed, stratify=y)
    def f(a): return torch.as_tensor(a, dtype=torch.float32)
    tr = TensorDataset(f(Xtr), torch.as_tensor(ytr))
    te = TensorDataset(f(Xte), torch.as_tensor(yte))
    return DataLoader(tr, cfg["micro_batch"], shuffle=True), DataLoader(te, 256)
