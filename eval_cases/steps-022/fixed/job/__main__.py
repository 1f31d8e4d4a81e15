import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import torch
from data import stamps
from step import make_step

torch.manual_seed(19)
x, y = stamps(640)
xt, yt = stamps(200)
net = torch.nn.Sequential(
    torch.nn.Conv2d(1, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
    torch.nn.Flatten(), torch.nn.Linear(8 * 36, 4),
)
step = make_step(net, lr=0.05)
for epoch in range(1, 9):
    losses = [step(x[i], y[i]) for i in torch.randperm(len(x)).split(32)]
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {sum(losses) / len(losses):.4f}")
with torch.no_grad():
    print(f"accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
