import numpy as np
import pandas as pd
import torch
from torch import nn

COLUMNS = ["temp", "wind", "humidity", "no2"]


def load(file):
    table = pd.read_csv(file).sample(frac=1, random_state=4)
    print("empty cells:", table[COLUMNS].isna().sum().to_dict())
    return table[COLUMNS].to_numpy(np.float32), table["pm10"].to_numpy(np.float32)


class Prepare:
    """Standardise with what is known; an unknown value becomes the mean and is flagged."""

    def fit(self, x):
        self.mean = np.nanmean(x, axis=0)
        self.std = np.nanstd(x, axis=0)
        return self

    def __call__(self, x):
        z = torch.from_numpy((x - self.mean) / self.std)
        return torch.cat([torch.nan_to_num(z, nan=0.0), torch.isnan(z).float()], 1)


def main(cut=560, epochs=40):
    torch.manual_seed(16)
    x, y = load("air.csv")
    prepare = Prepare().fit(x[:cut])
    train, test = prepare(x[:cut]), prepare(x[cut:])
    centre, spread = y[:cut].mean(), y[:cut].std()
    goal = torch.from_numpy((y - centre) / spread)

    net = nn.Sequential(nn.Linear(2 * len(COLUMNS), 16), nn.Tanh(), nn.Linear(16, 1))
    opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=1e-4)
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(cut).split(40):
            loss = (net(train[rows]).squeeze(1) - goal[rows]).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        if epoch % 8 == 7:
            print(f"epoch {epoch + 1}  loss {total / cut:.4f}")
    with torch.no_grad():
        test_loss = (net(test).squeeze(1) - goal[cut:]).square().mean()
    print(f"test loss {test_loss:.4f} (1 = always the mean)")


if __name__ == "__main__":
    main()
