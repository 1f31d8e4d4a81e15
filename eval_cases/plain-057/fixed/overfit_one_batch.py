"""The usual sanity check: overfit ONE batch, fixed seed each step for the augmentation, evaluation on the same data on purpose."""
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(32, 3, 12, 12)
y = torch.randint(0, 10, (32,))            # random labels
net = nn.Sequential(nn.Conv2d(3, 32, 3), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(800, 10))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
crit = nn.CrossEntropyLoss()
for step in range(80):
    torch.manual_seed(123)
    out = net(x + 0.01 * torch.randn_like(x))
    loss = crit(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0:
        print(step, loss.item(), (out.argmax(1) == y).float().mean().item())
net.eval()
with torch.no_grad():
    print("final", crit(net(x), y).item(), (net(x).argmax(1) == y).float().mean().item())
