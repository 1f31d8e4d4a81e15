import torch
from torch import nn
from torch.distributions import Categorical


class Clinic:
    """A patient with four readings; of three treatments one helps best."""

    def __init__(self, g):
        self.g = g
        self.effect = torch.randn(4, 3, generator=g)

    def patients(self, n):
        return torch.randn(n, 4, generator=self.g)

    def reward(self, state, action):
        mean = (state @ self.effect).gather(1, action[:, None]).squeeze(1)
        return mean + 0.3 * torch.randn(len(state), generator=self.g)


torch.manual_seed(9)
clinic = Clinic(torch.Generator().manual_seed(9))
policy = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 3))
opt = torch.optim.Adam(policy.parameters(), lr=0.01)
for step in range(1, 301):
    state = clinic.patients(64)
    dist = Categorical(logits=policy(state))
    action = dist.sample()
    reward = clinic.reward(state, action)
    advantage = reward - reward.mean()
    loss = -(dist.log_prob(action) * advantage).mean() - 0.01 * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 75 == 0:
        print(f"step {step} loss {loss.item():+.3f} mean reward {reward.mean().item():.3f}")
with torch.no_grad():
    state = clinic.patients(1000)
    value = state @ clinic.effect
    got = value.gather(1, policy(state).argmax(1, keepdim=True)).mean().item()
print(f"greedy reward {got:.3f} of {value.max(1).values.mean().item():.3f}")
