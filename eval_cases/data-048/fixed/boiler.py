import numpy as np
import pandas as pd
import torch

rng = np.random.default_rng(52)
n = 800
frame = pd.DataFrame({"outside": rng.normal(4, 7, n), "wind": rng.gamma(2, 2, n), "residents": rng.integers(1, 7, n)})
frame["gas"] = 60 - 2.4 * frame["outside"] + 0.9 * frame["wind"] + 2 * frame["residents"] + rng.normal(0, 6, n)
print("correlation with gas:", frame.corr()["gas"].round(2).to_dict())
x, y = frame[["outside", "wind", "residents"]], frame["gas"]
train = slice(0, 600)
x = torch.tensor(((x - x[train].mean()) / x[train].std()).to_numpy("float32"))
y = torch.tensor(((y - y[train].mean()) / y[train].std()).to_numpy("float32"))
torch.manual_seed(52)
net = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(1, 21):
    for rows in torch.randperm(600).split(50):
        loss = (net(x[rows])[:, 0] - y[rows]).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"r2 on the other 200 houses {1 - ((net(x[600:])[:, 0] - y[600:]).square().mean() / y[600:].var()).item():.3f}")
