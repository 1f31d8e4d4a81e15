"""Toy aerial scenes: rectangles of five ground covers on bare soil, two bands."""
import torch

BANDS = torch.tensor([[0.0, 0.0], [1.0, -1.0], [-1.0, 1.0], [1.2, 1.2], [-1.2, -1.0], [0.2, 1.6]])
CLASSES = len(BANDS)


def scenes(count, size, blobs, gen):
    mask = torch.zeros(count, size, size, dtype=torch.long)
    for n in range(count):
        for _ in range(blobs):
            top, left = torch.randint(0, size - 6, (2,), generator=gen).tolist()
            h, w = torch.randint(4, 9, (2,), generator=gen).tolist()
            mask[n, top:top + h, left:left + w] = torch.randint(1, CLASSES, (), generator=gen)
    image = BANDS[mask].permute(0, 3, 1, 2)
    image = image + 0.45 * torch.randn(image.shape, generator=gen)
    return image.contiguous(), mask
