import torch, torch.nn as nn
from sklearn.datasets import load_iris

torch.manual_seed(0)
X, y = load_iris(return_X_y=True)
X = torch.tensor((X - X.mean(0)) / X.std(0)).float(); y = torch.tensor(y)
p = torch.randperm(150); tr, te = p[:110], p[110:]
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters(), lr=0.05)
lf = nn.CrossEntropyLoss()
for i in range(20):                 # 20 full-batch updates are enough
    opt.zero_grad()
    l = lf(net(X[tr]), y[tr])
    l.backward()
    opt.step()
    print(i, l.item())
with torch.no_grad():
    prob = torch.softmax(net(X[te]), 1)      # only for the report
print("acc", (prob.argmax(1) == y[te]).float().mean().item(), "mean confidence", prob.max(1).values.mean().item())
