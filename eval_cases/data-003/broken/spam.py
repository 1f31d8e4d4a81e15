import configparser
import os

import torch

ini = configparser.ConfigParser()
ini.read(os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.ini"))
data, train, report = ini["data"], ini["train"], ini["report"]
torch.manual_seed(data.getint("seed"))


def messages(n):
    words = (torch.rand(n, 30) < 0.2).float()
    spam = (words[:, :5].sum(1) > words[:, 5:10].sum(1)).float()
    return words, spam


x, y = messages(data.getint("rows"))
xv, yv = messages(400)
net = torch.nn.Sequential(torch.nn.Linear(30, 24), torch.nn.ReLU(), torch.nn.Linear(24, 1))
opt = torch.optim.Adam(net.parameters(), lr=train.getfloat("lr"))
for epoch in range(1, train.getint("epochs") + 1):
    for rows in torch.randperm(len(x)).split(train.getint("batch")):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(x[rows]).squeeze(1), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        chance = net(xv).squeeze(1).sigmoid()
        right = (chance > report.getfloat("cut")) == (yv > 0.5)
    print(f"epoch {epoch:2d} loss {loss.item():.3f} accuracy {right.float().mean().item():.3f}")
