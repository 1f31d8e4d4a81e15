"""Linear warm-up that starts at EXACTLY zero (as in the well-known schedules), gradient norm clipped to 1e-2 under Adam."""
import torch
from torch import nn
from sklearn.datasets import load_digits


def linear_schedule(opt, warm, total):
    return torch.optim.lr_scheduler.LambdaLR(opt, lambda s: s / warm if s < warm else max(0.0, (total - s) / (total - warm)))


def main():
    torch.manual_seed(0)
    d = load_digits()
    X, y = torch.tensor(d.images / 16).float().unsqueeze(1), torch.tensor(d.target)
    net = nn.Sequential(nn.Conv2d(1, 16, 3), nn.GELU(), nn.GroupNorm(4, 16), nn.Conv2d(16, 16, 3), nn.GELU(), nn.Flatten(), nn.Linear(256, 10))
    decay = [p for p in net.parameters() if p.ndim > 1]
    rest = [p for p in net.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=5e-3)
    total, step = 240, 0
    sched = linear_schedule(opt, 100, total)
    while step < total:
        for idx in torch.randperm(1400).split(50):
            loss = nn.functional.cross_entropy(net(X[idx]), y[idx])
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1e-2)
            opt.step()
            sched.step()
            opt.zero_grad()
            if step % 30 == 0:
                print(step, f"lr {sched.get_last_lr()[0]:.5f} loss {loss.item():.4f}")
            step += 1
            if step == total:
                break
    net.eval()
    with torch.no_grad():
        print("acc", (net(X[1400:]).argmax(1) == y[1400:]).float().mean().item())


main()
