"""Train a small conv net on digits 0-4, then freeze it and train only a new head on 5-9."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(1, 12, 3, padding=1, bias=False), nn.BatchNorm2d(12)
        self.c2, self.b2 = nn.Conv2d(12, 24, 3, padding=1, bias=False), nn.BatchNorm2d(24)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.b1(self.c1(x))), 2)
        x = F.max_pool2d(F.relu(self.b2(self.c2(x))), 2)
        return x.flatten(1)


class Classifier(nn.Module):
    def __init__(self, backbone, n, freeze=False):
        super().__init__()
        self.backbone, self.freeze = backbone, freeze
        self.head = nn.Linear(96, n)
        if freeze:
            for p in backbone.parameters():
                p.requires_grad = False

    def train(self, mode=True):
        super().train(mode)
        if self.freeze:
            self.backbone.eval()      # keep the running statistics of the pre-training
        return self

    def forward(self, x):
        return self.head(self.backbone(x))


def run(model, params, x, y, xv, yv, epochs, lr, tag):
    opt = torch.optim.SGD(params, lr=lr, momentum=0.9)
    for e in range(epochs):
        model.train()
        for idx in torch.randperm(len(x)).split(32):
            opt.zero_grad()
            loss = F.cross_entropy(model(x[idx]), y[idx])
            loss.backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            acc = (model(xv).argmax(1) == yv).float().mean().item()
        print(f"{tag} epoch {e} loss {loss.item():.4f} val acc {acc:.3f}")


if __name__ == "__main__":
    torch.manual_seed(5)
    d = load_digits()
    X = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16
    y = torch.tensor(d.target)
    lo, hi = y < 5, y >= 5
    bb = Backbone()
    pre = Classifier(bb, 5)
    n = 700
    run(pre, pre.parameters(), X[lo][:n], y[lo][:n], X[lo][n:], y[lo][n:], 4, 0.05, "pretrain")
    ft = Classifier(bb, 5, freeze=True)
    print("trainable:", [k for k, p in ft.named_parameters() if p.requires_grad])
    run(ft, ft.head.parameters(), X[hi][:n], y[hi][:n] - 5, X[hi][n:], y[hi][n:] - 5, 8, 0.05, "head")
