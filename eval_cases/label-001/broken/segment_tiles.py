# tiles of a drone survey: 0 soil, 1 crop, 2 water; outlines are marked 255 in the masks
import numpy as np
import torch
import torch.nn as nn

rng = np.random.default_rng(4)
SIZE = 24


def draw(n):
    images = rng.normal(0, 0.25, (n, 3, SIZE, SIZE)).astype("float32")
    masks = np.zeros((n, SIZE, SIZE), dtype="int64")
    yy, xx = np.mgrid[:SIZE, :SIZE]
    tints = np.array([[0.6, 0.4, 0.2], [0.1, 0.9, 0.2], [0.1, 0.3, 0.9]], dtype="float32")
    for img, mask in zip(images, masks):
        for kind in (1, 2):
            cy, cx = rng.uniform(5, SIZE - 5, 2)
            radius = rng.uniform(3, 6)
            dist = np.hypot(yy - cy, xx - cx)
            mask[dist < radius] = kind
            mask[np.abs(dist - radius) < 0.5] = 255
        shown = np.where(mask == 255, 0, mask)
        img += tints[shown].transpose(2, 0, 1)
    return torch.from_numpy(images), torch.from_numpy(masks)


torch.manual_seed(4)
x_train, m_train = draw(160)
x_val, m_val = draw(40)

net = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(),
    nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(),
    nn.Conv2d(16, 3, 1),
)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)

for epoch in range(6):
    order = torch.randperm(len(x_train))
    for rows in order.split(16):
        optimizer.zero_grad()
        loss = criterion(net(x_train[rows]), m_train[rows])
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.3f}")

with torch.no_grad():
    found = net(x_val).argmax(1)
    inside = m_val != 255
    iou = [
        ((found == k) & (m_val == k) & inside).sum() / (((found == k) | (m_val == k)) & inside).sum()
        for k in range(3)
    ]
print("IoU " + " ".join(f"{v:.2f}" for v in iou))
