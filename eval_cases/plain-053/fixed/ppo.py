"""PPO on a contextual bandit: the ratio starts at 1 and the surrogate at ~0; several epochs on the same batch; advantages normalised."""
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(0)
W = torch.randn(6, 4)
pi = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 4))
vf = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 1))
opt = torch.optim.Adam([{"params": pi.parameters()}, {"params": vf.parameters(), "lr": 1e-2}], lr=5e-3, eps=1e-5)
for it in range(40):
    s = torch.randn(256, 6)
    with torch.no_grad():
        dist = Categorical(logits=pi(s))
        a = dist.sample()
        old = dist.log_prob(a)
        r = ((s @ W).argmax(1) == a).float() + 0.1 * torch.randn(256)
        adv = r - vf(s).squeeze(-1)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for _ in range(3):
        for i in torch.randperm(256).split(64):
            dist = Categorical(logits=pi(s[i]))
            ratio = (dist.log_prob(a[i]) - old[i]).exp()
            pg = -torch.min(ratio * adv[i], ratio.clamp(0.8, 1.2) * adv[i]).mean()
            v = 0.5 * (vf(s[i]).squeeze(-1) - r[i]).pow(2).mean()
            loss = pg + v - 0.01 * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*pi.parameters(), *vf.parameters()], 0.5)
            opt.step()
    if it % 5 == 0:
        print(it, f"reward {r.mean().item():.3f} loss {loss.item():+.4f} pg {pg.item():+.4f} kl {(old[i] - dist.log_prob(a[i])).mean().item():.4f}")
print("greedy acc", (pi(s).argmax(1) == (s @ W).argmax(1)).float().mean().item())
