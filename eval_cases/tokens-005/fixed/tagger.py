import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent


class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.embed = nn.Embedding(words, 16, padding_idx=0)
        self.rnn = nn.GRU(16, 24, batch_first=True, bidirectional=True)
        self.out = nn.Linear(48, tags)

    def forward(self, ids):
        return self.out(self.rnn(self.embed(ids))[0])


def main():
    conf = tomllib.loads((HERE / "tagger.toml").read_text())
    names = conf["tags"]["names"]
    torch.manual_seed(conf["seed"])
    with np.load(HERE / "corpus.npz") as z:
        word, tag = torch.from_numpy(z["word"]), torch.from_numpy(z["tag"])
    cut = 330
    model = Tagger(50, len(names))
    criterion = nn.CrossEntropyLoss(ignore_index=conf["tags"]["skip"])
    opt = torch.optim.Adam(model.parameters(), lr=conf["lr"])
    for epoch in range(1, conf["epochs"] + 1):
        for rows in torch.randperm(cut).split(conf["batch"]):
            opt.zero_grad()
            loss = criterion(model(word[rows]).transpose(1, 2), tag[rows])
            loss.backward()
            opt.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}")
    with torch.no_grad():
        guess = model(word[cut:]).argmax(2)
    real = word[cut:] > 0
    recall = [(guess[tag[cut:] == k] == k).float().mean().item() for k in range(1, len(names))]
    print(", ".join(f"{n} {r:.2f}" for n, r in zip(names[1:], recall)))
    print(f"tokens right {(guess == tag[cut:])[real].float().mean().item():.3f}")


main()
