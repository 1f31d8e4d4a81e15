import torch


class Corridor:
    """Eight fields; right end pays 1, each step costs a little, other steps slip back."""

    @staticmethod
    def code(field):
        return torch.nn.functional.one_hot(torch.as_tensor(field), 8).float()

    @staticmethod
    def move(field, action):
        new = field + 1 if action == 1 else max(field - 1, 0)
        return new, (1.0 if new == 7 else -0.01), new == 7

    @classmethod
    def play(cls, net, walks):
        total = 0.0
        for k in range(walks):
            field, done, count = k % 7, False, 0
            while not done and count < 30:
                with torch.no_grad():
                    action = int(net(cls.code(field)).argmax())
                field, reward, done = cls.move(field, action)
                total += reward
                count += 1
        return total / walks


def memory(n, seed):
    """Steps of an agent that walks at random."""
    g = torch.Generator().manual_seed(seed)
    rows, field = [], 0
    for _ in range(n):
        action = int(torch.randint(0, 2, (1,), generator=g))
        new, reward, done = Corridor.move(field, action)
        rows.append((field, action, reward, new, float(done)))
        field = int(torch.randint(0, 7, (1,), generator=g)) if done else new
    field, action, reward, new, done = zip(*rows)
    return Corridor.code(field), torch.tensor(action), torch.tensor(reward), Corridor.code(new), torch.tensor(done)
