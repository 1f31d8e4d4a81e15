import pathlib
import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    conf = tomllib.loads((pathlib.Path(__file__).parent / "fit.toml").read_text())
    torch.manual_seed(conf["data"]["seed"])
    n = conf["data"]["rows"]
    x = torch.randn(n + 300, 6)
    y = ((x[:, 0] * x[:, 1] > 0).long() + (x[:, 2] > 0.5).long())
    loader = DataLoader(TensorDataset(x[:n], y[:n]), batch_size=conf["fit"]["batch"], shuffle=True)
    net = nn.Sequential(nn.Linear(6, 48), nn.ReLU(), nn.Linear(48, 3))
    opt = torch.optim.SGD(net.parameters(), lr=conf["fit"]["rate"], momentum=0.9)
    for epoch in range(1, conf["fit"]["epochs"] + 1):
        for bx, by in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(bx), by)
            loss.backward()
            opt.step()
        if epoch % 4 == 0:
            print(f"epoch {epoch} loss {loss.item():.3f}")
    with torch.no_grad():
        print(f"test accuracy {(net(x[n:]).argmax(1) == y[n:]).float().mean().item():.3f}")


if __name__ == "__main__":
    main()
