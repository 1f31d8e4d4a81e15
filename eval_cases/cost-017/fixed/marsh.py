import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Marsh(Dataset):
    def __init__(self, n):
        g = torch.Generator().manual_seed(1)
        self.x = torch.randn(n, 8, generator=g)
        self.y = (self.x[:, 0] + self.x[:, 1].abs() > 0.8).float()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def main():
    torch.manual_seed(0)
    loader = DataLoader(Marsh(128), batch_size=32, shuffle=True, num_workers=2, persistent_workers=True)
    net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
    opt = torch.optim.Adam(net.parameters(), lr=2e-2)
    for epoch in range(1, 10):
        clock = time.perf_counter()
        for x, y in loader:
            loss = nn.functional.binary_cross_entropy_with_logits(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch} loss {loss.item():.3f} {time.perf_counter() - clock:.3f} s")


if __name__ == "__main__":
    main()
