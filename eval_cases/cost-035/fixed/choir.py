import torch
from torch import nn

g = torch.Generator().manual_seed(30)
x = torch.rand(700, 2, generator=g) * 4 - 2
y = (torch.sin(2 * x[:, 0]) + 0.5 * x[:, 1] + 0.2 * torch.randn(700, generator=g))[:, None]
x, xt, y, yt = x[:500], x[500:], y[:500], y[500:]


def member(number):
    """The members shall differ, so each starts from fresh entropy; the seed is noted to repeat one."""
    seed = torch.seed()
    net = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
    opt = torch.optim.Adam(net.parameters(), lr=0.01)
    for epoch in range(20):
        for rows in torch.randperm(500).split(25):
            loss = nn.functional.mse_loss(net(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
    print(f"member {number} seed {seed} loss {loss.item():.4f}")
    return net


nets = [member(k) for k in range(4)]
with torch.no_grad():
    answers = torch.stack([net(xt) for net in nets])
print(f"disagreement {answers.std(0).mean().item():.3f}, test mse of the mean {nn.functional.mse_loss(answers.mean(0), yt).item():.4f} (noise 0.040)")
