import torch
from torch.nn.functional import cross_entropy

from heads import Finder

TOKENS, STEPS = 8, 6


def puzzle(n, g):
    rows = torch.rand(n, TOKENS, generator=g).argsort(1)[:, : STEPS - 1]
    answer = torch.randint(0, STEPS - 1, (n,), generator=g)
    return torch.cat([rows.gather(1, answer[:, None]), rows], dim=1), answer


g = torch.Generator().manual_seed(5)
torch.manual_seed(5)
model = Finder(TOKENS, STEPS)
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
for step in range(1, 161):
    ids, answer = puzzle(64, g)
    loss = cross_entropy(model(ids), answer)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 40 == 0:
        print(f"step {step}: {loss.item():.4f}")
with torch.no_grad():
    ids, answer = puzzle(500, g)
    print("found:", (model(ids).argmax(1) == answer).float().mean().item())
