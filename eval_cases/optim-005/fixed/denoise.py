from dataclasses import dataclass

import torch
from sklearn.datasets import load_digits
from torch import nn, optim
from torch.utils.data import DataLoader


@dataclass
class Settings:
    hidden: int = 40
    code: int = 16
    noise: float = 0.15
    lr: float = 0.2
    momentum: float = 0.9
    max_norm: float = 1.0
    epochs: int = 20
    batch_size: int = 50
    seed: int = 2


class Denoiser(nn.Module):
    def __init__(self, s: Settings):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, s.hidden), nn.ELU(), nn.Linear(s.hidden, s.code))
        self.dec = nn.Sequential(nn.ELU(), nn.Linear(s.code, s.hidden), nn.ELU(), nn.Linear(s.hidden, 64))

    def forward(self, x):
        return self.dec(self.enc(x))


class Trainer:
    def __init__(self, s: Settings):
        torch.manual_seed(s.seed)
        self.s = s
        pixels = torch.tensor(load_digits().data, dtype=torch.float32) / 16
        pixels = pixels[torch.randperm(len(pixels))]
        pixels = pixels - pixels[:1500].mean(0)
        self.train_x, self.val_x = pixels[:1500], pixels[1500:]
        self.model = Denoiser(s)
        self.opt = optim.SGD(self.model.parameters(), lr=s.lr, momentum=s.momentum)

    def run_epoch(self):
        loader = DataLoader(self.train_x, batch_size=self.s.batch_size, shuffle=True)
        self.model.train()
        seen = 0.0
        for clean in loader:
            self.opt.zero_grad()
            noisy = clean + self.s.noise * torch.randn_like(clean)
            loss = nn.functional.mse_loss(self.model(noisy), clean)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.s.max_norm)
            self.opt.step()
            seen += loss.item() * len(clean)
        return seen / len(self.train_x)

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            gen = torch.Generator().manual_seed(0)
            noisy = self.val_x + self.s.noise * torch.randn(self.val_x.shape, generator=gen)
            return nn.functional.mse_loss(self.model(noisy), self.val_x).item()

    def fit(self):
        for e in range(self.s.epochs):
            tr = self.run_epoch()
            if (e + 1) % 4 == 0:
                print(f"[{e + 1:3d}] train {tr:.4f}  val {self.validate():.4f}")
        base = self.val_x.pow(2).mean().item()
        print(f"val mse {self.validate():.4f} (predicting the mean image: {base:.4f})")


if __name__ == "__main__":
    Trainer(Settings()).fit()
