"""A contextual bandit with an actor and a critic."""
from pathlib import Path

import torch
from torch.distributions import Categorical

from arms.agent import Agent
from arms.placing import Placement


class Bandit:
    def __init__(self, seed, n_actions=4):
        self.g = torch.Generator().manual_seed(seed)
        self.best = torch.randn(5, n_actions, generator=self.g)

    def contexts(self, n):
        return torch.randn(n, 5, generator=self.g)

    def reward(self, seen, action):
        scores = seen @ self.best
        return (scores.argmax(1) == action).float()


torch.manual_seed(7)
bandit = Bandit(seed=7)
placement = Placement(Path(__file__).parent / "placement.json")
agent = placement.put(Agent(5, 4))
optimizer = torch.optim.Adam(agent.parameters(), lr=0.01)

for step in range(1, 401):
    seen = bandit.contexts(64).to(placement.default)
    logits, value = agent(seen)
    choice = Categorical(logits=logits)
    action = choice.sample()
    gain = bandit.reward(seen, action)
    actor = -(choice.log_prob(action) * (gain - value.detach())).mean()
    critic = (gain - value).square().mean()
    optimizer.zero_grad()
    (actor + 0.5 * critic).backward()
    optimizer.step()
    if step % 100 == 0:
        print(f"step {step} mean reward {gain.mean().item():.2f}")

with torch.no_grad():
    seen = bandit.contexts(1000)
    print(f"greedy reward {bandit.reward(seen, agent(seen)[0].argmax(1)).mean().item():.3f}")
