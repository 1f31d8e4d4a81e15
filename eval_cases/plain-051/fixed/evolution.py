# Evolution strategies: no gradients, no backward, no optimizer; parameters are moved under no_grad.
import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters
from sklearn.datasets import load_iris
torch.manual_seed(0)
X, y = load_iris(return_X_y=True)
X = torch.tensor((X - X.mean(0)) / X.std(0)).float(); y = torch.tensor(y)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
ce = nn.CrossEntropyLoss()
with torch.no_grad():
    theta = parameters_to_vector(net.parameters())
    vel = torch.zeros_like(theta)

    def f(t):
        vector_to_parameters(t, net.parameters())
        return ce(net(X), y)

    for gen in range(150):
        eps = torch.randn(20, len(theta))
        g = sum((f(theta + 0.05 * e) - f(theta - 0.05 * e)) / 0.1 * e for e in eps) / 20
        vel = 0.7 * vel - 0.15 * g
        theta = theta + vel
        if gen % 25 == 0:
            print(gen, f(theta).item())
    print("loss", f(theta).item(), "acc", (net(X).argmax(1) == y).float().mean().item())
