import configparser
from pathlib import Path

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).resolve().parent
conf = configparser.ConfigParser()
conf.read(HERE / "loans.ini")
prep, fit = conf["preparation"], conf["fit"]
torch.manual_seed(fit.getint("seed"))

table = pd.read_csv(HERE / "loans.csv").sample(frac=1, random_state=0).reset_index(drop=True)
columns = prep["columns"].split()
x, cut = table[columns].astype(float), int(0.75 * len(table))
if prep.getboolean("standardise"):
    x = (x - x[:cut].mean()) / x[:cut].std()
x = torch.tensor(x.to_numpy(), dtype=torch.float32)
y = torch.tensor(table["repaid"].to_numpy(), dtype=torch.float32)

net = nn.Sequential(nn.Linear(len(columns), 16), nn.Tanh(), nn.Linear(16, 1), nn.Flatten(0))
opt = torch.optim.SGD(net.parameters(), lr=fit.getfloat("lr"), momentum=0.9)
criterion = nn.BCEWithLogitsLoss()
loader = DataLoader(TensorDataset(x[:cut], y[:cut]), batch_size=30, shuffle=True)
for epoch in range(1, fit.getint("epochs") + 1):
    total = 0.0
    for bx, by in loader:
        opt.zero_grad()
        loss = criterion(net(bx), by)
        loss.backward()
        opt.step()
        total += loss.item() / len(loader)
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {total:.4f}")
with torch.no_grad():
    print(f"held-out accuracy {((net(x[cut:]) > 0).float() == y[cut:]).float().mean().item():.3f}")
