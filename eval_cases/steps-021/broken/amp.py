import torch
from torch import nn

torch.manual_seed(3)


def plume(n):
    x = torch.rand(n, 3) * 2 - 1
    return x, torch.exp(-3 * x.pow(2).sum(1, keepdim=True)) * 2 + x[:, :1]


class Runner:
    limit = 1.0

    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** 13)

    def step(self, x, y):
        self.opt.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.float16):
            out = self.net(x)
        loss = nn.functional.mse_loss(out.float(), y)
        self.scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), self.limit)
        self.scaler.step(self.opt)
        self.scaler.update()
        return loss.item()


x, y = plume(1000)
xt, yt = plume(300)
runner = Runner(nn.Sequential(nn.Linear(3, 48), nn.Tanh(), nn.Linear(48, 1)))
for epoch in range(1, 21):
    mean = [runner.step(x[i], y[i]) for i in torch.randperm(1000).split(50)]
    if epoch % 5 == 0:
        print(f"epoch {epoch}: {sum(mean) / len(mean):.4f}")
with torch.no_grad():
    print(f"held-out mse {nn.functional.mse_loss(runner.net(xt), yt).item():.4f}")
