import torch
from torch import nn

FLOORS = 6


def code(floor):
    return nn.functional.one_hot(torch.as_tensor(floor), FLOORS).float()


def move(floor, action):
    new = min(max(floor + (1 if action else -1), 0), FLOORS - 1)
    top = new == FLOORS - 1
    return new, 10.0 if top else -1.0, top


class Memory:
    def __init__(self, n):
        rows, floor = [], 0
        for action in torch.randint(0, 2, (n,)).tolist():
            new, reward, done = move(floor, action)
            rows.append((floor, action, reward, new, float(done)))
            floor = 0 if done else new
        s, a, r, t, d = zip(*rows)
        self.data = code(s), torch.tensor(a), torch.tensor(r), code(t), torch.tensor(d)

    def sample(self, n):
        rows = torch.randint(len(self.data[1]), (n,))
        return [v[rows] for v in self.data]


torch.manual_seed(1)
memory = Memory(3000)
net, frozen = (nn.Sequential(nn.Linear(FLOORS, 32), nn.ReLU(), nn.Linear(32, 2)) for _ in range(2))
frozen.load_state_dict(net.state_dict())
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for step in range(1, 1601):
    s, a, r, t, done = memory.sample(32)
    with torch.no_grad():
        goal = r + 0.9 * (1 - done) * frozen(t).max(1).values
    loss = nn.functional.mse_loss(net(s).gather(1, a[:, None])[:, 0], goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 200 == 0:
        frozen.load_state_dict(net.state_dict())
        print(f"step {step} loss {loss.item():.4f}")
exact = sum(-(0.9**k) for k in range(4)) + 0.9**4 * 10
print(f"value on the ground floor {net(code(0)).max().item():.3f}, exact {exact:.3f}")
