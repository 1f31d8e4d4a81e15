import argparse

import numpy as np
import pandas as pd
import torch


def flats(n, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"area": rng.uniform(25, 160, n), "rooms": rng.integers(1, 6, n), "floor": rng.integers(0, 9, n), "age": rng.uniform(0, 90, n)})
    frame["price"] = 4100 * frame["area"] ** 0.93 * np.exp(0.02 * frame["floor"] - 0.004 * frame["age"] + rng.normal(0, 0.3, n))
    frame["log_price"] = np.log(frame["price"])
    frame["area_per_room"] = frame["area"] / frame["rooms"]
    return frame


class Price(torch.nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.a = torch.nn.Linear(width, hidden)
        self.b = torch.nn.Linear(hidden, 1)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x))).squeeze(-1)


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--hidden", type=int, default=24)
    cli.add_argument("--epochs", type=int, default=25)
    args = cli.parse_args()
    torch.manual_seed(10)
    frame = flats(1000, 10)
    goal = frame["log_price"]
    seen = frame.drop(columns=["log_price"])
    train = slice(0, 750)
    seen = (seen - seen[train].mean()) / seen[train].std()
    goal = (goal - goal[train].mean()) / goal[train].std()
    x, y = torch.tensor(seen.to_numpy("float32")), torch.tensor(goal.to_numpy("float32"))
    model = Price(x.shape[1], args.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(args.epochs):
        for rows in torch.randperm(750).split(50):
            opt.zero_grad()
            loss = (model(x[rows]) - y[rows]).square().mean()
            loss.backward()
            opt.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1} loss {loss.item():.4f}")
    with torch.no_grad():
        rest = (model(x[750:]) - y[750:]).square().mean() / y[750:].var()
    print(f"r2 on the other 250 flats {1 - rest.item():.3f}")


if __name__ == "__main__":
    main()
