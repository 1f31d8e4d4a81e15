import torch
import torch.nn.functional as F

# second-order MAML on sinusoids
torch.manual_seed(0)


def task():
    A, ph = torch.rand(1) * 3 + 1.0, torch.rand(1) * 1.5
    def sample(n):
        x = torch.rand(n, 1) * 6 - 3
        return x, A * torch.sin(x + ph)
    return sample


def init():
    sizes = [(1, 40), (40, 40), (40, 1)]
    ps = []
    for i, o in sizes:
        ps += [torch.nn.Parameter(torch.randn(i, o) / i ** 0.5), torch.nn.Parameter(torch.zeros(o))]
    return ps


def net(ps, x):
    x = torch.relu(x @ ps[0] + ps[1])
    x = torch.relu(x @ ps[2] + ps[3])
    return x @ ps[4] + ps[5]


def adapt(ps, x, y, lr=0.02, steps=2, create_graph=True):
    fast = list(ps)
    for _ in range(steps):
        g = torch.autograd.grad(F.mse_loss(net(fast, x), y), fast, create_graph=create_graph)
        fast = [p - lr * gi for p, gi in zip(fast, g)]
    return fast


meta = init()
outer = torch.optim.Adam(meta, lr=3e-3)


def test(n=40):
    pre = post = 0.0
    for _ in range(n):
        s = task()
        xs, ys = s(10); xq, yq = s(40)
        pre += F.mse_loss(net(meta, xq), yq).item() / n
        post += F.mse_loss(net(adapt(meta, xs, ys, create_graph=False), xq), yq).item() / n
    return pre, post


print("pre/post adaptation: %.3f / %.3f" % test())
for it in range(300):
    outer.zero_grad()
    total = 0.0
    for _ in range(4):
        s = task()
        xs, ys = s(10); xq, yq = s(10)
        loss = F.mse_loss(net(adapt(meta, xs, ys), xq), yq) / 4
        loss.backward()
        total += loss.item()
    torch.nn.utils.clip_grad_norm_(meta, 10.0)
    outer.step()
    if it % 50 == 0:
        print(it, "meta loss %.3f" % total)
print("pre/post adaptation: %.3f / %.3f" % test())
