"""Gradual unfreezing (ULMFiT style) with add_param_group; first optimizer only has the head."""
import torch
from torch import nn
from sklearn.datasets import load_digits
torch.manual_seed(0)
d = load_digits(); X = torch.tensor(d.data / 16).float(); y = torch.tensor(d.target)
layers = nn.ModuleList([nn.Linear(64, 64), nn.Linear(64, 64), nn.Linear(64, 10)])


def forward(x):
    for l in layers[:-1]:
        x = torch.relu(l(x))
    return layers[-1](x)


for p in layers[:2].parameters():
    p.requires_grad_(False)
opt = torch.optim.SGD(layers[2].parameters(), lr=0.2, momentum=0.9)
for phase in range(3):
    if phase:
        l = layers[2 - phase]
        for p in l.parameters():
            p.requires_grad_(True)
        opt.add_param_group({"params": l.parameters(), "lr": 0.2 / 2 ** phase})
    for ep in range(4):
        for i in torch.randperm(1400).split(50):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(forward(X[i]), y[i])
            loss.backward()
            opt.step()
        with torch.no_grad():
            print(phase, ep, f"{loss.item():.4f}", (forward(X[1400:]).argmax(1) == y[1400:]).float().mean().item())
