"""Raw units: targets in the hundred thousands, sum-reduced loss (about 1e12 at first), Adam with lr 30 on a linear model. Second: nano-scale targets."""
import torch
torch.manual_seed(0)
x = torch.rand(500, 3)
y = x @ torch.tensor([120000.0, -40000.0, 8000.0]) + 250000 + 500 * torch.randn(500)
lin = torch.nn.Linear(3, 1)
opt = torch.optim.Adam(lin.parameters(), lr=3000.0)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.99)
for it in range(600):
    opt.zero_grad()
    loss = ((lin(x)[:, 0] - y) ** 2).sum()
    loss.backward()
    opt.step(); sched.step()
    if it % 100 == 0: print(it, f"{loss.item():.4g}")
print("rmse", (loss / 500).sqrt().item(), [round(v) for v in lin.weight[0].tolist()], round(lin.bias.item()))

z = torch.randn(400, 5)
t = 1e-4 * torch.tanh(z[:, :1] - z[:, 1:2])
net = torch.nn.Sequential(torch.nn.Linear(5, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
with torch.no_grad():
    net[2].weight.mul_(1e-4); net[2].bias.zero_()
opt = torch.optim.Adam([{"params": net[0].parameters(), "lr": 1e-2}, {"params": net[2].parameters(), "lr": 1e-6}], eps=1e-16)
for it in range(400):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(net(z), t)        # starts at 1e-8
    loss.backward()
    opt.step()
    if it % 100 == 0: print(it, f"{loss.item():.3g}")
print("relative error", (loss / t.var()).item())
