"""Marks the bright half of a picture; which half that is shows only in the picture as a whole."""
import tomllib
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).parent


def settings():
    conf = tomllib.loads((HERE / "default.toml").read_text())
    local = HERE / "local.toml"
    if local.exists():
        for name, part in tomllib.loads(local.read_text()).items():
            conf[name].update(part)
    return conf


def pictures(n, seed):
    g = torch.Generator().manual_seed(seed)
    level = 0.3 * torch.randn(n, 1, 1, 1, generator=g)
    relief = F.interpolate(torch.randn(n, 1, 4, 4, generator=g), size=16, mode="bilinear", align_corners=False)
    relief = relief - relief.mean((2, 3), keepdim=True)
    noise = 0.05 * torch.randn(n, 1, 16, 16, generator=g)
    return TensorDataset(level + relief + noise, (relief > 0).float())


def unit(n_in, n_out, kernel):
    return nn.Sequential(nn.Conv2d(n_in, n_out, kernel, padding=kernel // 2), nn.BatchNorm2d(n_out), nn.ReLU())


class ContextNet(nn.Module):
    def __init__(self, width, context):
        super().__init__()
        self.local = nn.Sequential(unit(1, width, 3), unit(width, width, 3))
        self.context = nn.Sequential(nn.AdaptiveAvgPool2d(1), unit(1, context, 1))
        self.mark = nn.Sequential(unit(width + context, width, 1), nn.Conv2d(width, 1, 1))

    def forward(self, x):
        near = self.local(x)
        far = self.context(x).expand(-1, -1, *near.shape[-2:])
        return self.mark(torch.cat([near, far], dim=1))


def main():
    conf = settings()
    torch.manual_seed(conf["seed"])
    loader = DataLoader(pictures(160, 1), **conf["loader"])
    net = ContextNet(**conf["model"])
    optimizer = torch.optim.Adam(net.parameters(), lr=conf["lr"])
    for epoch in range(conf["epochs"]):
        net.train()
        losses = []
        for x, mask in loader:
            loss = F.binary_cross_entropy_with_logits(net(x), mask)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch} loss {sum(losses) / len(losses):.3f}")
    net.eval()
    with torch.no_grad():
        x, mask = pictures(60, 2).tensors
        print(f"pixels right {((net(x) > 0) == mask.bool()).float().mean():.3f}")


if __name__ == "__main__":
    main()
