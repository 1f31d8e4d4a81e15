import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("delays")


class Delay(nn.Module):
    """Log-normal waiting time of a train at a stop."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 32), nn.GELU(), nn.Linear(32, 2))

    def nll(self, x, minutes):
        mean, log_sd = self.net(x).unbind(1)
        z = (minutes.log() - mean) * torch.exp(-log_sd)
        return (0.5 * z.square() + log_sd).mean()


def stream(n_batches, g, broken_clock=None):
    """Batches as they come from the stops; a clock that was just reset reports 0 minutes."""
    for number in range(n_batches):
        x = torch.randn(64, 5, generator=g)
        scale = 0.3 + 0.2 * (x[:, 2] > 0)
        minutes = torch.exp(0.6 * x[:, 0] - 0.4 * x[:, 1] + scale * torch.randn(64, generator=g))
        if number == broken_clock:
            minutes[17] = 0.0
        yield number, x, minutes


def main():
    torch.manual_seed(50)
    g = torch.Generator().manual_seed(50)
    model = Delay()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    skipped, smooth = 0, None
    for number, x, minutes in stream(300, g, broken_clock=120):
        loss = model.nll(x, minutes)
        if not torch.isfinite(loss):
            skipped += 1
            log.info("batch %d  loss %.4f  skipped", number, loss.item())
            continue
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if number % 50 == 49:
            log.info("batch %d  loss %.4f", number, smooth)
    with torch.no_grad():
        test = sum(model.nll(x, m).item() for _, x, m in stream(10, g)) / 10
    print(f"skipped {skipped} of 300 batches, test loss {test:.4f}")


if __name__ == "__main__":
    main()
