import tomllib
from pathlib import Path

import torch
from features import demand, table

with open(Path(__file__).with_name("signals.toml"), "rb") as fh:
    conf = tomllib.load(fh)
frame = table(demand(conf["days"], conf["seed"]), conf)
cut = int(0.7 * len(frame))
x = torch.tensor(frame.drop(columns="up").to_numpy("float32"))
y = torch.tensor(frame["up"].to_numpy("float32"))
mean, std = x[:cut].mean(0), x[:cut].std(0)
x = (x - mean) / std

torch.manual_seed(conf["seed"])
net = torch.nn.Sequential(torch.nn.Linear(x.shape[1], 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.005)
for epoch in range(1, 16):
    for rows in torch.randperm(cut).split(32):
        opt.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(x[rows]).squeeze(1), y[rows])
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    hit = ((net(x[cut:]).squeeze(1) > 0) == (y[cut:] > 0.5)).float().mean().item()
print(f"hit rate on the last {len(y) - cut} days {hit:.3f}")
