import tomllib
from pathlib import Path

import torch
from sklearn.datasets import load_diabetes
from split import divide

with open(Path(__file__).with_name("study.toml"), "rb") as fh:
    study = tomllib.load(fh)
bunch = load_diabetes()
x, y = torch.tensor(bunch.data).float() * 20, torch.tensor(bunch.target).float() / 80
fit, check = divide(len(y), **study["split"])
torch.manual_seed(study["fit"]["seed"])
net = torch.nn.Sequential(torch.nn.Linear(10, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1), torch.nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, study["fit"]["epochs"] + 1):
    for part in torch.tensor(fit)[torch.randperm(len(fit))].split(25):
        loss = (net(x[part]) - y[part]).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"r2 on the held-out rows {1 - ((net(x[check]) - y[check]).square().mean() / y[check].var()).item():.4f}")
