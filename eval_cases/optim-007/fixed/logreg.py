# Breast-cancer screening, softmax regression with one hidden layer.
# Parameters are plain tensors; the update rule is the library's.
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

torch.manual_seed(4)

X, t = load_breast_cancer(return_X_y=True)
Xa, Xb, ta, tb = train_test_split(X, t, test_size=0.3, random_state=4, stratify=t)
m, s = Xa.mean(0), Xa.std(0)
Xa, Xb = (torch.tensor((q - m) / s).float() for q in (Xa, Xb))
ta, tb = torch.tensor(ta), torch.tensor(tb)

H = 20
W1 = (torch.randn(30, H) / 30 ** 0.5).requires_grad_()
b1 = torch.zeros(H, requires_grad=True)
W2 = (torch.randn(H, 2) / H ** 0.5).requires_grad_()
b2 = torch.zeros(2, requires_grad=True)
params = [W1, b1, W2, b2]


def logits(x):
    return torch.tanh(x @ W1 + b1) @ W2 + b2


sgd = torch.optim.SGD(params, lr=0.05, momentum=0.9, weight_decay=1e-3)

step = 0
for epoch in range(10):
    perm = torch.randperm(len(Xa))
    for rows in perm.split(32):
        for p in params:
            p.grad = None
        nll = torch.nn.functional.cross_entropy(logits(Xa[rows]), ta[rows])
        nll.backward()
        sgd.step()
        step += 1
    if epoch % 2 == 1:
        with torch.no_grad():
            full = torch.nn.functional.cross_entropy(logits(Xa), ta)
        print(f"step {step:4d}: training nll {full:.4f}")

with torch.no_grad():
    hit = (logits(Xb).argmax(1) == tb).double().mean()
print(f"test accuracy {hit:.4f} on {len(tb)} patients")
