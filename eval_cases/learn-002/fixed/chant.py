import torch


class Cell:
    """A recurrent layer by hand."""

    def __init__(self, n_in, n_hid, n_out):
        self.win = (torch.randn(n_in, n_hid) * 0.5).requires_grad_()
        self.wrec = (torch.randn(n_hid, n_hid) / n_hid**0.5).requires_grad_()
        self.wout = (torch.randn(n_hid, n_out) * 0.1).requires_grad_()
        self.params = [self.win, self.wrec, self.wout]

    def run(self, x):
        h = x.new_zeros(x.shape[1], self.wrec.shape[0])
        out = []
        for v in x:
            h = torch.nn.functional.softplus(v @ self.win + h @ self.wrec) - 0.6931
            out.append(h @ self.wout)
        return torch.stack(out)


def songs(n, length, g):
    """Each note follows from the two before it."""
    note = torch.randint(0, 5, (2, n), generator=g).tolist()
    rows = [torch.tensor(r) for r in note]
    while len(rows) < length + 1:
        rows.append((rows[-1] + 2 * rows[-2] + 1) % 5)
    track = torch.stack(rows)
    return torch.nn.functional.one_hot(track[:-1], 5).float(), track[1:]


torch.manual_seed(16)
g = torch.Generator().manual_seed(16)
cell = Cell(5, 48, 5)
rate = 0.5
for step in range(1, 251):
    x, y = songs(16, 40, g)
    loss = torch.nn.functional.cross_entropy(cell.run(x).flatten(0, 1), y.flatten())
    for p in cell.params:
        p.grad = None
    loss.backward()
    torch.nn.utils.clip_grad_norm_(cell.params, 1.0)
    with torch.no_grad():
        for p in cell.params:
            p -= rate * p.grad
    if step % 50 == 0:
        print(f"step {step} loss {loss.item():.3f}")
x, y = songs(100, 40, g)
with torch.no_grad():
    print(f"next note right {(cell.run(x)[2:].argmax(-1) == y[2:]).float().mean().item():.3f}")
