import argparse

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn


def top_k(codes, k):
    """Keep the k largest activations of every row, zero the others."""
    values = codes.detach().numpy()
    order = values.argsort(axis=1)
    keep = np.zeros(order.shape, dtype=np.float32)
    np.put_along_axis(keep, order[:, -k:], 1.0, axis=1)
    return torch.from_numpy(values * keep)


class SparseAutoencoder(nn.Module):
    def __init__(self, n_pixels, n_codes, k):
        super().__init__()
        self.encoder = nn.Linear(n_pixels, n_codes)
        self.decoder = nn.Linear(n_codes, n_pixels)
        self.k = k

    def encode(self, x):
        return top_k(self.encoder(x), self.k)

    def forward(self, x):
        return self.decoder(self.encode(x))


def main(opts):
    torch.manual_seed(opts.seed)
    images = load_digits().data.astype("float32") / 16
    np.random.default_rng(opts.seed).shuffle(images)
    images = torch.from_numpy(images)
    images -= images[:1400].mean(0)
    train, test = images[:1400], images[1400:]

    ae = SparseAutoencoder(64, opts.codes, opts.k)
    adam = torch.optim.Adam(ae.parameters(), lr=opts.lr)
    for epoch in range(opts.epochs):
        for batch in train[torch.randperm(len(train))].split(opts.batch):
            loss = nn.functional.mse_loss(ae(batch), batch)
            adam.zero_grad()
            loss.backward()
            adam.step()
        if (epoch + 1) % 5 == 0:
            print(f"epoch {epoch + 1}: reconstruction {loss.item():.4f}")

    with torch.no_grad():
        explained = 1 - nn.functional.mse_loss(ae(test), test) / test.pow(2).mean()
    print(f"variance explained on test digits: {100 * explained:.1f} %")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--codes", type=int, default=24)
    p.add_argument("-k", type=int, default=8)
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--batch", type=int, default=70)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--seed", type=int, default=3)
    main(p.parse_args())
