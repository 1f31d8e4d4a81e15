import json
import pathlib

import torch

conf = json.loads((pathlib.Path(__file__).parent / "weights.json").read_text())
torch.manual_seed(conf["seed"])
grid = torch.linspace(0, 1, 120)
truth = torch.sin(4 * grid) + grid ** 2
spectra = truth + 0.3 * torch.randn(64, 120)


class Baseline(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(120, 40), torch.nn.Tanh(), torch.nn.Linear(40, 120))

    def forward(self, s):
        return self.net(s)


def terms(curve, s):
    return {
        "fit": ((curve - s) ** 2).mean(),
        "rough": (curve[:, 2:] - 2 * curve[:, 1:-1] + curve[:, :-2]).pow(2).mean(),
    }


model = Baseline()
opt = torch.optim.Adam(model.parameters(), lr=conf["lr"])
for step in range(1, conf["steps"] + 1):
    rows = torch.randint(0, 64, (16,))
    opt.zero_grad()
    parts = terms(model(spectra[rows]), spectra[rows])
    loss = sum(conf["weights"][k] * v for k, v in parts.items())
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(step, f"loss {loss.item():.4f}")

fresh = truth + 0.3 * torch.randn(64, 120)
with torch.no_grad():
    print(f"distance to the true baseline {(model(fresh) - truth).pow(2).mean().sqrt().item():.4f}")
