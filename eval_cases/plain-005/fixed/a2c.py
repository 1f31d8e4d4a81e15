"""Actor-critic on a noisy corridor. Two optimizers, the actor's loss is negative by nature."""
import random
from collections import deque

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Corridor:
    N = 8

    def reset(self):
        self.pos, self.t = random.randrange(1, 4), 0
        return self.obs()

    def obs(self):
        v = torch.zeros(self.N)
        v[self.pos] = 1
        return v

    def step(self, a):
        move = (1 if a == 1 else -1)
        if random.random() < 0.1:
            move = -move
        self.pos += move
        self.t += 1
        if self.pos <= 0:
            self.pos = 0
            return self.obs(), -1.0, True
        if self.pos >= self.N - 1:
            return self.obs(), 1.0, True
        return self.obs(), -0.02, self.t >= 40


random.seed(1); torch.manual_seed(1)
actor = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 2))
critic = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))
opt_a = torch.optim.Adam(actor.parameters(), lr=5e-3)
opt_c = torch.optim.Adam(critic.parameters(), lr=2e-2)
env, scores, gamma = Corridor(), deque(maxlen=50), 0.97
first = None
for ep in range(300):
    s, done = env.reset(), False
    logps, values, rewards, ents = [], [], [], []
    while not done:
        dist = Categorical(logits=actor(s))
        a = dist.sample()
        logps.append(dist.log_prob(a))
        ents.append(dist.entropy())
        values.append(critic(s).squeeze(-1))
        s, r, done = env.step(a.item())
        rewards.append(r)
    R, returns = 0.0, []
    for r in reversed(rewards):
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    values = torch.stack(values)
    adv = (returns - values).detach()
    actor_loss = -(torch.stack(logps) * adv).sum() - 0.01 * torch.stack(ents).sum()
    critic_loss = nn.functional.mse_loss(values, returns)
    opt_a.zero_grad(); actor_loss.backward(); opt_a.step()
    opt_c.zero_grad(); critic_loss.backward(); opt_c.step()
    scores.append(sum(rewards))
    if ep == 30: first = sum(scores) / len(scores)
    if ep % 50 == 0:
        print(f"ep {ep} reward(50) {sum(scores)/len(scores):.3f} actor {actor_loss.item():+.3f} critic {critic_loss.item():.3f}")
print(f"reward early {first:.3f} -> late {sum(scores)/len(scores):.3f}")
