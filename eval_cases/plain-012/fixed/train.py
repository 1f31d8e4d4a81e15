import tomllib
from pathlib import Path

import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from src.net import MLP
from src.util import evaluating

cfg = tomllib.loads(Path(__file__).with_name("conf.toml").read_text())
torch.manual_seed(cfg["run"]["seed"])
X, y = load_wine(return_X_y=True)
Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
mu, sd = Xa.mean(0), Xa.std(0)
Xa, Xb = [torch.tensor((v - mu) / sd).float() for v in (Xa, Xb)]
ya, yb = torch.tensor(ya), torch.tensor(yb)

model = MLP(cfg["model"]["widths"])
optim = getattr(torch.optim, cfg["optim"]["name"])(model.parameters(), lr=cfg["optim"]["lr"])
nll = nn.NLLLoss()
step = 0
for epoch in range(cfg["run"]["epochs"]):
    for idx in torch.randperm(len(Xa)).split(16):
        if len(idx) < 8:
            continue
        optim.zero_grad()
        loss = nll(model(Xa[idx]), ya[idx])
        loss.backward()
        optim.step()
        step += 1
        if step % cfg["run"]["eval_every"] == 0:      # in the middle of an epoch
            with evaluating(model) as m:
                lp = m(Xb)
                print(f"step {step} train {loss.item():.3f} val {nll(lp, yb).item():.3f} "
                      f"acc {(lp.argmax(1) == yb).float().mean():.3f} mean-conf {lp.exp().max(1).values.mean():.2f}")
            assert model.training
