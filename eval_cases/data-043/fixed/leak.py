import json
import pathlib

import torch

conf = json.loads(pathlib.Path(__file__).with_name("leak.json").read_text())
torch.manual_seed(conf["seed"])


def pipes(n):
    leaking = torch.rand(n) < 0.08
    sound = torch.randn(n, 6) + 1.3 * leaking[:, None] * torch.tensor([1.0, 1, 0, 0, -1, 0])
    return sound, leaking.float()


x, y = pipes(2400)
xt, yt = pipes(1200)
net = torch.nn.Sequential(torch.nn.Linear(6, 12), torch.nn.ReLU(), torch.nn.Linear(12, 1))
criterion = torch.nn.BCEWithLogitsLoss(pos_weight=torch.tensor(conf["pos_weight"]))
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
for epoch in range(conf["epochs"]):
    for rows in torch.randperm(len(x)).split(80):
        opt.zero_grad()
        loss = criterion(net(x[rows])[:, 0], y[rows])
        loss.backward()
        opt.step()
    with torch.no_grad():
        yes = net(xt)[:, 0] > 0
    print(f"epoch {epoch + 1} loss {loss.item():.3f} leaks found {yes[yt == 1].float().mean().item():.3f} quiet ones right {(~yes[yt == 0]).float().mean().item():.3f}")
