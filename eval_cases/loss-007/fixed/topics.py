import pathlib
import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

CRITERIA = {
    "mse": nn.MSELoss,
    "bce": nn.BCELoss,
    "bce_logits": nn.BCEWithLogitsLoss,
    "soft_margin": nn.MultiLabelSoftMarginLoss,
}
OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}


def article_dataset(articles, words, topics, seed):
    g = torch.Generator().manual_seed(seed)
    labels = (torch.rand(articles, topics, generator=g) < 0.25).float()
    profile = torch.randn(topics, words, generator=g)
    freq = labels @ profile + 0.8 * torch.randn(articles, words, generator=g)
    freq = (freq - freq.mean(0)) / freq.std(0)
    return TensorDataset(freq, labels)


class Tagger(nn.Module):
    def __init__(self, words, topics, hidden, dropout):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(words, hidden), nn.GELU(), nn.Dropout(dropout))
        self.heads = nn.ModuleList(nn.Linear(hidden, 1) for _ in range(topics))

    def forward(self, x):
        z = self.trunk(x)
        return torch.cat([head(z) for head in self.heads], dim=1)


class Experiment:
    def __init__(self, path):
        with open(path, "rb") as fh:
            self.conf = tomllib.load(fh)
        d, t = self.conf["data"], self.conf["training"]
        torch.manual_seed(d["seed"])
        self.train_set, self.test_set = random_split(article_dataset(**d), [0.8, 0.2])
        self.net = Tagger(d["words"], d["topics"], **self.conf["model"])
        self.criterion = CRITERIA[t["criterion"]]()
        self.optimizer = OPTIMIZERS[t["optimizer"]](self.net.parameters(), lr=t["lr"])
        self.loader = DataLoader(self.train_set, t["batch_size"], shuffle=True)

    def one_epoch(self):
        self.net.train()
        seen = 0.0
        for x, y in self.loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.net(x), y)
            loss.backward()
            self.optimizer.step()
            seen += loss.item() * len(x)
        return seen / len(self.train_set)

    @torch.no_grad()
    def micro_f1(self):
        self.net.eval()
        x, y = self.test_set[:]
        hit = self.net(x) > 0
        tp = (hit & (y > 0)).sum().item()
        return 2 * tp / (hit.sum().item() + y.sum().item())

    def run(self):
        print(self.conf["title"], "-", len(self.train_set), "articles")
        for epoch in range(1, self.conf["training"]["epochs"] + 1):
            loss = self.one_epoch()
            if epoch % 4 == 0:
                print(f"epoch {epoch:2d} loss {loss:.4f}")
        print(f"micro F1 {self.micro_f1():.3f}")


Experiment(pathlib.Path(__file__).with_name("experiment.toml")).run()
