"""Online learning: one fresh noisy sample batch of size 4 per update, 5000 updates, SGD with decaying rate."""
import torch

torch.manual_seed(12)
true_w = torch.tensor([1.5, -2.0, 0.7, 3.0, 0.0])
lin = torch.nn.Linear(5, 1)
torch.nn.init.constant_(lin.weight, 0.0)
opt = torch.optim.SGD(lin.parameters(), lr=0.02)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda t: 1 / (1 + t / 800))
avg = None
for t in range(5000):
    x = torch.randn(4, 5)
    y = (x @ true_w + 2.0 + 1.0 * torch.randn(4)).unsqueeze(1)
    loss = (lin(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    avg = loss.item() if avg is None else 0.98 * avg + 0.02 * loss.item()
    if t % 500 == 0:
        print(t, f"loss {loss.item():.3f} smoothed {avg:.3f}")
print("w", [round(v, 2) for v in lin.weight[0].tolist()], "b", round(lin.bias.item(), 2), "smoothed", round(avg, 3), "(noise floor 1.0)")
