# Learn a complex-valued FIR equaliser for a QPSK signal over a multipath channel.
import math
import torch

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
N = 6000
bits = torch.randint(0, 4, (N,))
sym = torch.exp(1j * (math.pi / 4 + math.pi / 2 * bits))
h = torch.tensor([0.9 + 0.1j, 0.35 - 0.25j, -0.1 + 0.15j])


def conv(x, w):
    L = len(w)
    pad = torch.cat([torch.zeros(L - 1, dtype=x.dtype), x])
    win = pad.unfold(0, L, 1)
    return (win * w.flip(0)).sum(-1)


rx = conv(sym, h) + 0.03 * (torch.randn(N) + 1j * torch.randn(N))


class Equaliser(torch.nn.Module):
    def __init__(self, taps=11):
        super().__init__()
        w = torch.zeros(taps, dtype=torch.complex128)
        w[taps // 2] = 0.2
        self.w = torch.nn.Parameter(w)

    def forward(self, x):
        return conv(x, self.w)


eq = Equaliser()
opt = torch.optim.Adam(eq.parameters(), lr=0.01)
delay = 5


def ser(a, b):
    out = eq(rx[a:b])[20:]
    ref = sym[a - delay:b - delay][20:]
    dec = torch.exp(1j * (math.pi / 4 + math.pi / 2 * torch.floor(out.angle() / (math.pi / 2))))
    return (abs(dec - ref) > 1e-3).double().mean().item()


with torch.no_grad():
    print("symbol error before", ser(4000, 6000))
for it in range(400):
    s = torch.randint(delay, 3500, ()).item()
    out = eq(rx[s:s + 300])[10:]
    err = out - sym[s - delay:s - delay + 300][10:]
    loss = (err * err.conj()).real.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print(it, "mse %.5f" % loss.item())
with torch.no_grad():
    print("symbol error after", ser(4000, 6000))
