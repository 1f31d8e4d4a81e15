import numpy as np
import torch

# mass on a spring with friction: find stiffness, friction and start from a noisy film of it
rng = np.random.default_rng(1)
t = np.linspace(0, 6, 120)
film = 1.3 * np.exp(-0.25 * t) * np.cos(2.1 * t) + 0.04 * rng.normal(size=t.size)

time = torch.tensor(t, dtype=torch.float32)
seen = torch.tensor(film, dtype=torch.float32)
guess = torch.tensor([1.0, 0.1, 1.8], requires_grad=True)
optimizer = torch.optim.Adam([guess], lr=0.02)


def motion(params):
    start, friction, omega = params
    return start * torch.exp(-friction * time) * torch.cos(omega * time)


history = []
for step in range(400):
    optimizer.zero_grad()
    loss = torch.mean((motion(guess) - seen) ** 2)
    loss.backward()
    optimizer.step()
    history.append(loss.numpy())
    if step % 100 == 99:
        print(f"step {step + 1}: mean of the last losses {np.mean(history[-50:]):.5f}")

start, friction, omega = guess.tolist()
print(f"start {start:.2f} friction {friction:.2f} omega {omega:.2f}")
