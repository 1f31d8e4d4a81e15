import configparser
import pathlib

import torch
from model import Joint
from patients import cohort

conf = configparser.ConfigParser()
conf.read(pathlib.Path(__file__).with_name("objective.ini"))
weights = {k: float(v) for k, v in conf["weights"].items()}
fit = conf["fit"]

torch.manual_seed(fit.getint("seed"))
x, y = cohort(1200)
xt, yt = cohort(400)
net = Joint(x.shape[1], fit.getint("latent"))
opt = torch.optim.Adam(net.parameters(), lr=fit.getfloat("lr"))

for epoch in range(1, fit.getint("epochs") + 1):
    for idx in torch.randperm(len(x)).split(60):
        opt.zero_grad()
        terms = net.terms(x[idx], y[idx])
        loss = sum(weights[name] * term for name, term in terms.items() if name in weights)
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch}", {name: round(term.item(), 4) for name, term in terms.items()})

with torch.no_grad():
    hit = ((net.diagnose(xt) > 0).float() == yt).float().mean().item()
print(f"diagnosis accuracy {hit:.3f}")
