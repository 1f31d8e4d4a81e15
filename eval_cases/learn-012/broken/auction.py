import configparser
from pathlib import Path

import torch
from torch import nn

ini = configparser.ConfigParser()
ini.read(Path(__file__).with_name("schedule.ini"))
run, decay = ini["run"], ini["decay"]


class Plan:
    def __init__(self, warm, end):
        self.warm, self.end = warm, end

    def __call__(self, step):
        if step < self.warm:
            return (step + 1) / self.warm
        return max(0.0, (self.end - step) / (self.end - self.warm))


def lots(n):
    x = torch.randn(n, 6)
    return x, (torch.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.3 * x[:, 3])[:, None]


torch.manual_seed(run.getint("seed"))
net = nn.Sequential(nn.Linear(6, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1))
opt = torch.optim.AdamW(net.parameters(), lr=run.getfloat("peak"), weight_decay=1e-4)
schedule = torch.optim.lr_scheduler.LambdaLR(opt, Plan(decay.getint("warm"), decay.getint("end")))
for step in range(1, run.getint("steps") + 1):
    x, y = lots(run.getint("batch"))
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    schedule.step()
    if step % 100 == 0:
        print(f"step {step} loss {loss.item():.4f}")
x, y = lots(1000)
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(x), y).item():.4f} variance {y.var().item():.3f}")
