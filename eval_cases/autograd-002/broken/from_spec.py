import json
import sys
from pathlib import Path

import torch
from sklearn.datasets import load_diabetes
from torch import nn


def build(spec):
    """Each entry names a layer of torch.nn and its arguments."""
    return nn.Sequential(*(getattr(nn, entry.pop("type"))(**entry) for entry in spec))


def progression():
    x, y = load_diabetes(return_X_y=True, scaled=False)
    order = torch.randperm(len(x)).numpy()
    x, y = x[order], y[order]
    x = (x - x[:340].mean(0)) / x[:340].std(0)
    y = (y - y[:340].mean()) / y[:340].std()
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)[:, None]


def main(spec_file):
    torch.manual_seed(2)
    x, y = progression()
    net = build(json.loads(Path(spec_file).read_text()))
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3, weight_decay=0.02)
    loss_fn = nn.MSELoss()
    for epoch in range(12):
        net.train()
        for rows in torch.randperm(340).split(20):
            loss = loss_fn(net(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            held = loss_fn(net(x[340:]), y[340:]).item()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1}: held-out mse {held:.3f}")
    print(f"R2 {1 - held / y[340:].var(unbiased=False).item():.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "net.json")
