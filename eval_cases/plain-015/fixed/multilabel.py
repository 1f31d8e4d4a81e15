import logging
import sys

import numpy as np
import pandas as pd
import torch
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("ml")
torch.manual_seed(9)

X, Y = make_multilabel_classification(1500, 20, n_classes=5, n_labels=2, random_state=3)
df = pd.DataFrame(np.hstack([X, Y]), columns=[f"x{i}" for i in range(20)] + [f"y{i}" for i in range(5)])
df = df.sample(frac=1, random_state=0).reset_index(drop=True)
feat = [c for c in df.columns if c.startswith("x")]
lab = [c for c in df.columns if c.startswith("y")]
tr, va = df.iloc[:1200], df.iloc[1200:]
mean, std = tr[feat].mean(), tr[feat].std()


def tens(part):
    return (torch.tensor(((part[feat] - mean) / std).to_numpy(), dtype=torch.float32),
            torch.tensor(part[lab].to_numpy(), dtype=torch.float32))


xtr, ytr = tens(tr)
xva, yva = tens(va)


def experiment(kind):
    body = [torch.nn.Linear(20, 64), torch.nn.ReLU(), torch.nn.Linear(64, 5)]
    if kind == "bce":
        model, crit = torch.nn.Sequential(*body, torch.nn.Sigmoid()), torch.nn.BCELoss()
        prob = lambda z: z
    else:
        pos_weight = (len(ytr) - ytr.sum(0)) / ytr.sum(0)
        model, crit = torch.nn.Sequential(*body), torch.nn.BCEWithLogitsLoss(pos_weight=pos_weight)
        prob = torch.sigmoid
    opt = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    for epoch in range(8):
        model.train()
        ls = []
        for idx in torch.randperm(len(xtr)).split(40):
            out = model(xtr[idx])
            loss = crit(out, ytr[idx])
            opt.zero_grad(); loss.backward(); opt.step()
            ls.append(loss.item())
        model.eval()
        with torch.no_grad():
            pred = (prob(model(xva)) > 0.5).int().numpy()
        log.info("%s epoch %d loss %.4f f1 %.3f", kind, epoch, np.mean(ls), f1_score(yva.int().numpy(), pred, average="micro"))


for k in ("bce", "logits"):
    experiment(k)
