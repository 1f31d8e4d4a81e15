"""Monthly rent from categorical listing attributes (entity embeddings)."""
import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader, TensorDataset

SIZES = {"district": 40, "agency": 30, "condition": 6, "heating": 5}


def listings(n, rng):
    df = pd.DataFrame({c: rng.integers(0, k, n) for c, k in SIZES.items()})
    df["area"] = rng.uniform(20, 120, n)
    effect = np.random.default_rng(100)
    price = effect.normal(11, 4, SIZES["district"])[df.district]
    price = price + effect.normal(0, 1.5, SIZES["agency"])[df.agency]
    price = price + np.linspace(-3, 3, SIZES["condition"])[df.condition]
    df["rent"] = np.maximum(price, 3) * df.area + rng.normal(0, 25, n)
    return df


class EntityNet(torch.nn.Module):
    def __init__(self, sizes, dim=3, hidden=24):
        super().__init__()
        self.tables = {c: torch.nn.Embedding(k, dim) for c, k in sizes.items()}
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(dim * len(sizes) + 1, hidden),
            torch.nn.ReLU(),
            torch.nn.Linear(hidden, 1),
        )

    def forward(self, cats, area):
        pieces = [table(cats[:, i]) for i, table in enumerate(self.tables.values())]
        return self.mlp(torch.cat(pieces + [area], dim=1)).squeeze(1)


def to_dataset(df, stats):
    cats = torch.tensor(df[list(SIZES)].to_numpy())
    area = torch.tensor(((df.area - stats["area"][0]) / stats["area"][1]).to_numpy(), dtype=torch.float32)
    rent = torch.tensor(((df.rent - stats["rent"][0]) / stats["rent"][1]).to_numpy(), dtype=torch.float32)
    return TensorDataset(cats, area.unsqueeze(1), rent)


def evaluate(model, data):
    cats, area, rent = data.tensors
    model.eval()
    with torch.no_grad():
        return torch.nn.functional.mse_loss(model(cats, area), rent).sqrt().item()


if __name__ == "__main__":
    torch.manual_seed(23)
    rng = np.random.default_rng(23)
    df = listings(2500, rng)
    train_df, test_df = df[:2000], df[2000:]
    stats = {c: (train_df[c].mean(), train_df[c].std()) for c in ("area", "rent")}
    train, test = to_dataset(train_df, stats), to_dataset(test_df, stats)
    model = EntityNet(SIZES)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(1, 21):
        model.train()
        for cats, area, rent in DataLoader(train, batch_size=64, shuffle=True):
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(cats, area), rent).backward()
            opt.step()
        if epoch % 5 == 0:
            print(f"epoch {epoch}: train rmse {evaluate(model, train) * stats['rent'][1]:.0f} euros")
    print(f"test rmse {evaluate(model, test) * stats['rent'][1]:.0f} euros")
