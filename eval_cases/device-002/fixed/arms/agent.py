from torch import nn


class Agent(nn.Module):
    def __init__(self, n_seen, n_actions):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_seen, 32), nn.Tanh())
        self.value = nn.Linear(32, 1)
        self.policy = nn.Linear(32, n_actions)

    def forward(self, seen):
        h = self.trunk(seen)
        return self.policy(h), self.value(h).squeeze(-1)
