from pathlib import Path

import pandas as pd
import torch


def load(path):
    frame = pd.read_csv(path)
    return (torch.tensor(frame.drop(columns="frost").to_numpy("float32")),
            torch.tensor(frame["frost"].to_numpy("float32")))


def accuracy(net, pair):
    with torch.no_grad():
        return ((net(pair[0]).squeeze(1) > 0).float() == pair[1]).float().mean().item()


torch.manual_seed(13)
train, test, season = load(Path(__file__).with_name("train.csv")), load(Path(__file__).with_name("test.csv")), load(Path(__file__).with_name("next_season.csv"))
net = torch.nn.Sequential(torch.nn.Linear(7, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, 31):
    for rows in torch.randperm(len(train[0])).split(26):
        optimizer.zero_grad()
        out = net(train[0][rows]).squeeze(1)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(out, train[1][rows])
        loss.backward()
        optimizer.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
print(f"next season {accuracy(net, season):.3f}, test {accuracy(net, test):.3f}")
