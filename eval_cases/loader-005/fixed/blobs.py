import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def tensors(n):
    g = torch.Generator().manual_seed(9)
    centres = torch.rand(5, 6, generator=g) * 3 - 1.5
    group = torch.randint(0, 5, (n,), generator=g)
    return centres[group] + 0.35 * torch.randn(n, 6, generator=g), group


def run(epochs):
    x, group = tensors(600)
    loader = DataLoader(
        TensorDataset(x[:500], group[:500]),
        batch_size=25,
        shuffle=True,
        num_workers=1,
        multiprocessing_context="spawn",
        persistent_workers=True,
    )
    net = nn.Sequential(nn.Linear(6, 32), nn.ELU(), nn.Linear(32, 5))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(epochs):
        for xb, gb in loader:
            loss = nn.functional.cross_entropy(net(xb), gb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "loss", round(loss.item(), 4))
    with torch.no_grad():
        print("accuracy", round((net(x[500:]).argmax(1) == group[500:]).float().mean().item(), 3))


if __name__ == "__main__":
    torch.manual_seed(18)
    run(epochs=6)
