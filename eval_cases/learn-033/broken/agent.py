import configparser
from pathlib import Path

import torch
from corridor import Corridor, memory
from torch import nn

ini = configparser.ConfigParser()
ini.read(Path(__file__).with_name("agent.ini"))
conf = ini["agent"]
torch.manual_seed(conf.getint("seed"))


def make():
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))


online, target = make(), make()
target.load_state_dict(online.state_dict())
opt = torch.optim.Adam(online.parameters(), lr=conf.getfloat("lr"))
state, action, reward, after, done = memory(3000, seed=conf.getint("seed"))
for step in range(1, conf.getint("steps") + 1):
    rows = torch.randint(len(state), (64,))
    with torch.no_grad():
        best = target(after[rows]).max(1).values
        goal = reward[rows] + conf.getfloat("discount") * best * (1 - done[rows])
    value = online(state[rows]).gather(1, action[rows, None])[:, 0]
    loss = nn.functional.smooth_l1_loss(value, goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % conf.getint("sync") == 0:
        target.load_state_dict(online.state_dict())
    if step % 100 == 0:
        print(f"step {step} loss {loss.item():.5f} value at the start {online(Corridor.code(0)).max().item():.3f}")
print(f"mean return of 50 walks {Corridor.play(online, 50):.3f}")
