import torch


class Cable(torch.nn.Module):
    """Shape of a hanging cable: heights of 30 knots that minimise bending and misfit."""

    def __init__(self, knots):
        super().__init__()
        self.height = torch.nn.Parameter(torch.zeros(knots))

    def energy(self, at, seen):
        bend = self.height[2:] - 2 * self.height[1:-1] + self.height[:-2]
        miss = self.height[at] - seen
        return 40 * bend.square().sum() + miss.square().sum()


at = torch.tensor([0, 7, 15, 22, 29])
seen = torch.tensor([5.0, 2.0, 1.0, 2.5, 6.0])
cable = Cable(30)
optimizer = torch.optim.SGD(cable.parameters(), lr=0.001)


def closure():
    optimizer.zero_grad()
    energy = cable.energy(at, seen)
    energy.backward()
    return energy


for step in range(1, 201):
    energy = optimizer.step(closure)
    if step % 40 == 0:
        print(f"step {step} energy {energy.item():.4f}")
print(f"misfit at the five points {(cable.height[at] - seen).abs().max().item():.3f}, final energy {cable.energy(at, seen).item():.4f}")
