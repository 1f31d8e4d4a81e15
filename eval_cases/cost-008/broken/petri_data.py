import numpy as np
from torch.utils.data import Dataset


class Plates(Dataset):
    """Bacteria plates, blurred by the microscope."""

    def __init__(self, rows, size, steps_of_blur, in_memory, seed):
        rng = np.random.default_rng(seed)
        self.count = rng.integers(1, 12, rows)
        self.raw = np.zeros((rows, size, size), "float32")
        for image, n in zip(self.raw, self.count):
            image[rng.integers(0, size, n), rng.integers(0, size, n)] = 1
        self.blur = steps_of_blur
        self.kept = {} if in_memory else None
        for i in range(rows if in_memory else 0):
            self.kept[i] = self.view(i)

    def view(self, i):
        image = self.raw[i]
        for _ in range(self.blur):
            image = (image + np.roll(image, 1, 0) + np.roll(image, -1, 0) + np.roll(image, 1, 1) + np.roll(image, -1, 1)) / 5
        return (image * 10).ravel()

    def __len__(self):
        return len(self.count)

    def __getitem__(self, i):
        image = self.kept[i] if self.kept is not None else self.view(i)
        return image, self.count[i].astype("float32") / 12
