import numpy as np
import torch
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold

iris = load_iris()
scores = []
for fold, (train, test) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(iris.data, iris.target)):
    torch.manual_seed(100)  # the same start for each fold, so that they differ in the data only
    mean, std = iris.data[train].mean(0), iris.data[train].std(0)
    x = torch.tensor((iris.data - mean) / std).float()
    y = torch.tensor(iris.target)
    net = torch.nn.Sequential(torch.nn.Linear(4, 12), torch.nn.Tanh(), torch.nn.Linear(12, 3))
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    for epoch in range(15):
        for rows in torch.from_numpy(train)[torch.randperm(len(train))].split(20):
            loss = torch.nn.functional.cross_entropy(net(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
    with torch.no_grad():
        scores.append((net(x[test]).argmax(1) == y[test]).float().mean().item())
    print(f"fold {fold} loss {loss.item():.3f} accuracy {scores[-1]:.3f}")
print(f"mean accuracy {np.mean(scores):.3f} +- {np.std(scores):.3f}")
