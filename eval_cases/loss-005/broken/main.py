import json
from pathlib import Path

import torch
import torch.nn as nn

from network import Segmenter
from scenes import BANDS, CLASSES, scenes

cfg = json.loads((Path(__file__).parent / "settings.json").read_text())
torch.manual_seed(cfg["seed"])
gen = torch.Generator().manual_seed(cfg["seed"])


def per_pixel(maps):
    """(N, C, H, W) -> (N*H*W, C)"""
    return maps.permute(0, 2, 3, 1).reshape(-1, CLASSES)


@torch.no_grad()
def mean_iou(net, image, mask):
    net.eval()
    guess = net(image).argmax(1)
    ious = []
    for c in range(CLASSES):
        both = ((guess == c) & (mask == c)).sum().item()
        either = ((guess == c) | (mask == c)).sum().item()
        ious.append(both / max(either, 1))
    net.train()
    return sum(ious) / CLASSES


image, mask = scenes(**cfg["data"], gen=gen)
hold = len(image) // 5
test, train = (image[:hold], mask[:hold]), (image[hold:], mask[hold:])

net = Segmenter(BANDS.shape[1], CLASSES, **cfg["net"])
fit = cfg["fit"]
sgd = torch.optim.SGD(net.parameters(), lr=fit["rate"], momentum=fit["momentum"])
objective = nn.CrossEntropyLoss()

for epoch in range(fit["epochs"]):
    losses = []
    for rows in torch.randperm(len(train[0]), generator=gen).split(fit["batch"]):
        scores = per_pixel(net(train[0][rows]))
        loss = objective(scores, train[1][rows].reshape(-1))
        sgd.zero_grad(set_to_none=True)
        loss.backward()
        sgd.step()
        losses.append(loss.item())
    if epoch % 3 == 0:
        print(f"epoch {epoch}: pixel loss {sum(losses) / len(losses):.3f}")

print(f"last pixel loss {losses[-1]:.3f}, test mIoU {mean_iou(net, *test):.3f}")
