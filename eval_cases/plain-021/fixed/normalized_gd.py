import torch

# Matrix factorisation by normalised gradient descent. lr = 10 is a step LENGTH here, it decays.
torch.manual_seed(0)
n, m, r = 60, 50, 3
A = torch.randn(n, r) @ torch.randn(r, m)
mask = torch.rand(n, m) < 0.6
U = torch.nn.Parameter(torch.randn(n, r) * 0.1)
V = torch.nn.Parameter(torch.randn(m, r) * 0.1)
opt = torch.optim.SGD([U, V], lr=10.0)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.985)


def loss_fn():
    return ((U @ V.T - A)[mask] ** 2).mean()


for it in range(600):
    opt.zero_grad()
    loss = loss_fn()
    loss.backward()
    g = torch.cat([U.grad.flatten(), V.grad.flatten()]).norm()
    for p in (U, V):
        p.grad.div_(10 * g + 1e-12)          # unit step times 0.1
    opt.step()
    sched.step()
    if it % 60 == 0:
        with torch.no_grad():
            held = ((U @ V.T - A)[~mask] ** 2).mean()
        print(it, "loss %.5f held-out %.5f |g| %.3g lr %.3g" % (loss.item(), held.item(), g.item(), sched.get_last_lr()[0]))
print("final", loss_fn().item())
