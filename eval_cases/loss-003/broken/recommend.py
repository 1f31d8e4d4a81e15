import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_interactions(rng, n_users, n_items, n_rows):
    taste = rng.normal(size=(n_users, 4))
    kind = rng.normal(size=(n_items, 4))
    u = rng.integers(0, n_users, n_rows)
    i = rng.integers(0, n_items, n_rows)
    liked = (taste[u] * kind[i]).sum(1) > 1.2
    return torch.from_numpy(u), torch.from_numpy(i), torch.from_numpy(liked).float()


class Factors(nn.Module):
    """user . item + biases"""

    def __init__(self, n_users, n_items, k):
        super().__init__()
        self.user = nn.Embedding(n_users, k)
        self.item = nn.Embedding(n_items, k)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.offset = nn.Parameter(torch.zeros(()))
        for table in (self.user, self.item):
            nn.init.normal_(table.weight, std=0.3)
        for table in (self.user_bias, self.item_bias):
            nn.init.zeros_(table.weight)

    def forward(self, u, i):
        match = (self.user(u) * self.item(i)).sum(-1)
        bias = self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1)
        return torch.sigmoid(match + bias + self.offset)


def report(model, data, rows):
    u, i, liked = (t[rows] for t in data)
    model.eval()
    with torch.no_grad():
        score = model(u, i)
    model.train()
    loss = F.binary_cross_entropy_with_logits(score, liked).item()
    hit = ((score > 0) == (liked > 0.5)).float().mean().item()
    return loss, hit


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--users", type=int, default=150)
    ap.add_argument("--items", type=int, default=120)
    ap.add_argument("--rows", type=int, default=12000)
    ap.add_argument("-k", type=int, default=6)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batch", type=int, default=200)
    ap.add_argument("--lr", type=float, default=0.02)
    opt = ap.parse_args()

    torch.manual_seed(0)
    data = make_interactions(np.random.default_rng(0), opt.users, opt.items, opt.rows)
    order = torch.randperm(opt.rows)
    train, test = order[: opt.rows * 8 // 10], order[opt.rows * 8 // 10:]
    print(f"{len(train)} train rows, {data[2].mean():.0%} liked")

    model = Factors(opt.users, opt.items, opt.k)
    adam = torch.optim.Adam(model.parameters(), lr=opt.lr, weight_decay=1e-5)
    for epoch in range(opt.epochs):
        for rows in train[torch.randperm(len(train))].split(opt.batch):
            u, i, liked = (t[rows] for t in data)
            loss = F.binary_cross_entropy_with_logits(model(u, i), liked)
            adam.zero_grad()
            loss.backward()
            adam.step()
        if epoch % 3 == 2:
            print("epoch %2d  test loss %.3f  test acc %.3f" % (epoch + 1, *report(model, data, test)))
    print("final test loss %.3f, accuracy %.3f" % report(model, data, test))


if __name__ == "__main__":
    main()
