import json
import pathlib

import torch
from torch import nn

from loop import Loop

cfg = json.loads((pathlib.Path(__file__).parent / "experiment.json").read_text())
torch.manual_seed(cfg["seed"])


def mask_images(n, size=12):
    """Noisy images with one bright disc each, and the disc's mask."""
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    centre = torch.randint(3, size - 3, (n, 2))
    radius = torch.randint(2, 4, (n, 1, 1))
    dist = (yy - centre[:, :1, None]) ** 2 + (xx - centre[:, 1:, None]) ** 2
    mask = (dist <= radius ** 2).float()
    image = mask + 0.6 * torch.randn(n, size, size)
    return image.unsqueeze(1), mask.unsqueeze(1)


def iou(model, x, y):
    model.eval()
    with torch.no_grad():
        pred = model(x) > 0
    model.train()
    truth = y > 0.5
    return ((pred & truth).sum() / (pred | truth).sum()).item()


x, y = mask_images(cfg["n_train"])
vx, vy = mask_images(150)
width = cfg["model"]["channels"]
model = nn.Sequential(
    nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
    nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
    nn.Conv2d(width, 1, 3, padding=1),
)
optimizer = getattr(torch.optim, cfg["optimizer"]["name"])(model.parameters(), **cfg["optimizer"]["args"])
loop = Loop(model, optimizer, nn.BCEWithLogitsLoss(), cfg["iteration"], cfg["clip"])

for epoch in range(cfg["epochs"]):
    losses = [loop((x[idx], y[idx])) for idx in torch.randperm(len(x)).split(cfg["batch"])]
    print(f"epoch {epoch}: bce {sum(losses) / len(losses):.4f} iou {iou(model, vx, vy):.3f}")
print(f"final iou {iou(model, vx, vy):.3f}")
