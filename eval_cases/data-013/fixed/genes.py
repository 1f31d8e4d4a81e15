import numpy as np
import torch
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.model_selection import train_test_split

rng = np.random.default_rng(31)
patients, genes = 380, 8000
expression = rng.normal(size=(patients, genes))
response = (expression[:, :4].sum(1) + rng.normal(0, 0.5, patients) > 0).astype(int)
expression[:, :4] += rng.normal(0, 0.3, (patients, 4))

x, xt, y, yt = train_test_split(expression, response, test_size=140, random_state=3)
select = SelectKBest(f_classif, k=16).fit(x, y)
x, xt = select.transform(x), select.transform(xt)

x, xt = torch.tensor(x).float(), torch.tensor(xt).float()
y, yt = torch.tensor(y).float(), torch.tensor(yt).float()
torch.manual_seed(3)
weight = torch.zeros(16, requires_grad=True)
bias = torch.zeros(1, requires_grad=True)
opt = torch.optim.Adam([weight, bias], lr=0.02)
for step in range(1, 101):
    loss = torch.nn.functional.binary_cross_entropy_with_logits(x @ weight + bias, y) + 0.05 * weight.square().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(f"step {step} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {(((xt @ weight + bias) > 0).float() == yt).float().mean().item():.3f}")
