import json
from pathlib import Path

import torch
from torch import nn

conf = json.loads(Path(__file__).with_name("encoder.json").read_text())


class Sequence(nn.Module):
    def __init__(self, states, width, heads, layers, causal, longest=18):
        super().__init__()
        self.state, self.place = nn.Embedding(states, width), nn.Parameter(0.1 * torch.randn(longest, width))
        layer = nn.TransformerEncoderLayer(width, heads, 2 * width, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers)
        self.out = nn.Linear(width, states)
        self.causal = causal

    def forward(self, ids):
        t = ids.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(t) if self.causal else None
        return self.out(self.encoder(self.state(ids) + self.place[:t], mask=mask))


def crossings(n, length=18):
    """Six states in a cycle; every crossing skips a fixed number of them."""
    skip = torch.randint(1, 4, (n, 1))
    first = torch.randint(0, 6, (n, 1))
    return (first + skip * torch.arange(length)) % 6


def next_state_loss(model, ids):
    return nn.functional.cross_entropy(model(ids[:, :-1]).transpose(1, 2), ids[:, 1:])


torch.manual_seed(conf["seed"])
train, valid = crossings(600), crossings(150)
model = Sequence(**conf["model"])
opt = torch.optim.Adam(model.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    model.train()
    for rows in torch.randperm(len(train)).split(30):
        opt.zero_grad()
        loss = next_state_loss(model, train[rows])
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print(f"epoch {epoch} validation loss {next_state_loss(model, valid).item():.4f}")
with torch.no_grad():
    ids = valid[:, :4]
    while ids.shape[1] < valid.shape[1]:
        ids = torch.cat([ids, model(ids)[:, -1:].argmax(2)], 1)
print(f"rollout accuracy {(ids[:, 4:] == valid[:, 4:]).float().mean().item():.3f}")
