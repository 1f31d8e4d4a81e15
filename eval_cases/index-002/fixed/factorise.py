import configparser
import csv
from pathlib import Path

import torch
from torch import nn

HERE = Path(__file__).parent
conf = configparser.ConfigParser()
conf.read(HERE / "config.ini")
table, fit = conf["table"], conf["fit"]


class Factors(nn.Module):
    def __init__(self, users, films, rank):
        super().__init__()
        self.user, self.film = nn.Embedding(users, rank), nn.Embedding(films, rank)
        self.user_bias, self.film_bias = nn.Embedding(users, 1), nn.Embedding(films, 1)
        self.mean = nn.Parameter(torch.tensor(3.0))
        for p in (self.user, self.film, self.user_bias, self.film_bias):
            nn.init.normal_(p.weight, std=0.1)

    def forward(self, u, f):
        both = (self.user(u) * self.film(f)).sum(-1)
        return self.mean + both + self.user_bias(u)[:, 0] + self.film_bias(f)[:, 0]


def read():
    with open(HERE / "ratings.csv") as file:
        rows = [(int(r["user"]), int(r["film"]), float(r["stars"])) for r in csv.DictReader(file)]
    u, f, s = zip(*rows)
    return torch.tensor(u), torch.tensor(f), torch.tensor(s)


def main():
    torch.manual_seed(fit.getint("seed"))
    u, f, s = read()
    order = torch.randperm(len(s))
    held, used = order[:260], order[260:]
    model = Factors(table.getint("users"), table.getint("films"), table.getint("rank"))
    opt = torch.optim.AdamW(model.parameters(), lr=fit.getfloat("lr"), weight_decay=fit.getfloat("decay"))
    for epoch in range(fit.getint("epochs")):
        squares = 0.0
        for k in used[torch.randperm(len(used))].split(fit.getint("batch")):
            opt.zero_grad()
            loss = (model(u[k], f[k]) - s[k]).pow(2).mean()
            loss.backward()
            opt.step()
            squares += loss.item() * len(k)
        print(f"{epoch:2d} train rmse {(squares / len(used)) ** 0.5:.3f}")
    with torch.no_grad():
        rmse = (model(u[held], f[held]) - s[held]).pow(2).mean().sqrt().item()
    print(f"held-out rmse {rmse:.3f} stars (spread of the stars {s.std():.3f})")


main()
