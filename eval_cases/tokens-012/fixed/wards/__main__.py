import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import numpy as np
import torch
from encoder import WardModel

torch.manual_seed(33)
with np.load(HERE.parent / "visits.npz") as z:
    code, ward = torch.from_numpy(z["code"]), torch.from_numpy(z["ward"])
    mask = torch.from_numpy(z["mask"]).bool()
cut = 320
model = WardModel(40, 24, 3)
opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
for epoch in range(1, 21):
    model.train()
    for rows in torch.randperm(cut).split(32):
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(code[rows], mask[rows]), ward[rows])
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
model.eval()
with torch.no_grad():
    hit = model(code[cut:], mask[cut:]).argmax(1) == ward[cut:]
print(f"test accuracy {hit.float().mean().item():.3f}")
