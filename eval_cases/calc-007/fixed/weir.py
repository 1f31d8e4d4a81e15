import torch

torch.manual_seed(30)

# water level above the datum (m) and discharge (m3/s), 400 readings
level = 0.2 + 1.8 * torch.rand(400)
true_crest, true_factor = 0.75, 1.9
head = (level - true_crest).clamp(min=0)
discharge = true_factor * head.sqrt() * head + 0.02 * torch.randn(400)
fit, check = slice(0, 300), slice(300, 400)

crest = torch.tensor(0.45, requires_grad=True)
factor = torch.tensor(1.0, requires_grad=True)


def flow(level):
    above = level - crest
    root = torch.where(above > 0, torch.sqrt(above.clamp(min=1e-6)), torch.zeros_like(above))
    return factor * root * above


optimizer = torch.optim.Adam([crest, factor], lr=0.02)
for step in range(301):
    rows = torch.randint(0, 300, (64,))
    loss = (flow(level[fit][rows]) - discharge[fit][rows]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(f"step {step:3d}  loss {loss.item():.5f}  crest {crest.item():.3f}  factor {factor.item():.3f}")

with torch.no_grad():
    print(f"check loss {(flow(level[check]) - discharge[check]).pow(2).mean():.5f}")
