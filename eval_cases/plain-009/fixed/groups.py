"""Sequence tagger: fixed (lr=0) embeddings, slow encoder, fast decoder."""
import torch
import torch.nn as nn

torch.manual_seed(2)
V, T, N = 30, 12, 1024
x = torch.randint(0, V, (N, T))
y = ((x + torch.roll(x, 1, 1)) % 3)         # label depends on the previous token as well
y[:, 0] = 0
xv, yv = x[-200:], y[-200:]
x, y = x[:-200], y[:-200]


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        table = torch.randn(V, 32)
        table[:, 0:3] = nn.functional.one_hot(torch.arange(V) % 3, 3).float() * 2
        self.emb = nn.Embedding.from_pretrained(table, freeze=False)
        self.encoder = nn.GRU(32, 48, batch_first=True)
        self.decoder = nn.Sequential(nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 3))

    def forward(self, t):
        return self.decoder(self.encoder(self.emb(t))[0])


m = Tagger()
opt = torch.optim.AdamW([
    {"params": m.emb.parameters(), "lr": 0.0, "weight_decay": 0.0},   # ablation: "static vectors"
    {"params": m.encoder.parameters(), "lr": 3e-3},
    {"params": m.decoder.parameters(), "lr": 1e-2},
], weight_decay=1e-4)
before = m.emb.weight.detach().clone()
loss_fn = nn.CrossEntropyLoss()
for epoch in range(14):
    m.train()
    tot = 0
    for i in range(0, len(x), 64):
        logits = m(x[i:i + 64])
        loss = loss_fn(logits.transpose(1, 2), y[i:i + 64])   # (B, C, T) as CrossEntropyLoss wants
        m.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        tot += loss.item()
    m.eval()
    with torch.no_grad():
        acc = (m(xv).argmax(-1) == yv).float().mean()
    if epoch % 2 == 1:
        print(epoch, f"{tot / (len(x) / 64):.4f}", f"{acc:.3f}")
assert torch.equal(before, m.emb.weight)
