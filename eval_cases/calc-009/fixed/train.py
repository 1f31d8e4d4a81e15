import numpy as np
import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

from network import BeatNet
from recordings import Recordings

EPOCHS = 10


def evaluate(net, loader):
    net.eval()
    loss = hits = 0.0
    with torch.no_grad():
        for trace, kind in loader:
            out = net(trace)
            loss += cross_entropy(out, kind, reduction="sum").item()
            hits += (out.argmax(1) == kind).sum().item()
    return loss / len(loader.dataset), hits / len(loader.dataset)


def main():
    torch.manual_seed(1)
    train = DataLoader(Recordings("beats.npz", slice(0, 400)), batch_size=25, shuffle=True)
    test = DataLoader(Recordings("beats.npz", slice(400, 500)), batch_size=100)
    net = BeatNet()
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for epoch in range(EPOCHS):
        net.train()
        losses = []
        for trace, kind in train:
            loss = cross_entropy(net(trace), kind)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch} train loss {np.mean(losses):.4f}")
    print("test loss %.4f accuracy %.3f" % evaluate(net, test))


if __name__ == "__main__":
    main()
