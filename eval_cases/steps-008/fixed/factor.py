import json
import pathlib

import torch


class Factors(torch.nn.Module):
    def __init__(self, users, items, rank):
        super().__init__()
        self.u = torch.nn.Embedding(users, rank)
        self.v = torch.nn.Embedding(items, rank)
        torch.nn.init.normal_(self.u.weight, std=0.4)
        torch.nn.init.normal_(self.v.weight, std=0.4)

    def forward(self, user, item):
        return (self.u(user) * self.v(item)).sum(-1)


def ratings(conf):
    g = torch.Generator().manual_seed(40)
    p = torch.randn(conf["users"], 3, generator=g)
    q = torch.randn(conf["items"], 3, generator=g)
    full = p @ q.T / 3 ** 0.5
    cells = torch.randperm(full.numel(), generator=g)
    user, item = cells // conf["items"], cells % conf["items"]
    cut = int(0.8 * len(cells))
    return (user[:cut], item[:cut]), (user[cut:], item[cut:]), full


def fit(conf):
    torch.manual_seed(1)
    (user, item), held, full = ratings(conf)
    model = Factors(conf["users"], conf["items"], conf["rank"])
    opt = torch.optim.SGD(model.parameters(), lr=conf["lr"])
    print(f"spread of the ratings {full.std().item():.4f}")
    for step in range(conf["steps"]):
        pick = torch.randint(0, len(user), (conf["batch"],))
        u, i = user[pick], item[pick]
        error = ((model(u, i) - full[u, i]) ** 2).mean()
        # the objective covers a window of batches
        objective = error if step % conf["window"] == 0 else objective + error
        opt.zero_grad()
        objective.backward(retain_graph=conf["window"] > 1)
        opt.step()
        if step % 60 == 59:
            print(f"step {step + 1}: {error.item():.4f}")
    with torch.no_grad():
        u, i = held
        print(f"held-out rmse {((model(u, i) - full[u, i]) ** 2).mean().sqrt().item():.4f}")


fit(json.loads((pathlib.Path(__file__).parent / "factor.json").read_text()))
