import numpy as np
import torch
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

rng = np.random.default_rng(29)
x = rng.normal(50, 12, (900, 5))
wear = 0.02 * (x[:, 0] - 50) ** 2 + 0.3 * x[:, 1] - 0.2 * x[:, 2] + rng.normal(0, 1.5, 900)
x, xt, y, yt = train_test_split(x, wear, test_size=0.25, random_state=29)
scaler, goal = StandardScaler().fit(x), StandardScaler().fit(y[:, None])
x, xt = (torch.tensor(scaler.transform(a)).float() for a in (x, xt))
y, yt = (torch.tensor(goal.transform(a[:, None])).float() for a in (y, yt))

torch.manual_seed(29)
net = torch.nn.Sequential(torch.nn.Linear(5, 32), torch.nn.ReLU(), torch.nn.Dropout(0.1), torch.nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(1, 31):
    net.train()
    total = 0
    for rows in torch.randperm(len(x)).split(45):
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
        total += loss.item() * len(rows) / len(x)
    net.eval()
    if epoch % 6 == 0:
        with torch.no_grad():
            print(f"epoch {epoch} train (with dropout) {total:.4f} test {torch.nn.functional.mse_loss(net(xt), yt).item():.4f}")
