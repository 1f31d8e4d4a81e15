import torch
from torch import nn
from torch.utils.data import BatchSampler, RandomSampler

from plants import load_plants

torch.manual_seed(31)
(x, y), (x_test, y_test) = load_plants()
n_species = int(y.max()) + 1
print(f"{len(x)} plants for training, {n_species} species")

net = nn.Sequential(
    nn.Linear(x.shape[1], 40), nn.BatchNorm1d(40), nn.Hardswish(),
    nn.Linear(40, 40), nn.BatchNorm1d(40), nn.Hardswish(),
    nn.Linear(40, n_species),
)
loss_fn = nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)
schedule = torch.optim.lr_scheduler.StepLR(opt, step_size=8, gamma=0.3)

for epoch in range(16):
    net.train()
    summed, batches = 0.0, 0
    for rows in BatchSampler(RandomSampler(x), batch_size=35, drop_last=True):
        scores = net(x[rows])
        loss = loss_fn(scores, y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        summed, batches = summed + loss.item(), batches + 1
    schedule.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch}: {summed / batches:.3f}")

net.eval()
with torch.inference_mode():
    share = (net(x_test).argmax(dim=1) == y_test).float().mean().item()
print(f"species right on the test plants: {share:.1%}")
