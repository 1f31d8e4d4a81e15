import torch
import torch.nn.functional as F


class Engine:
    """Accumulates over `accumulate` micro batches; the gradients are cleared AFTER the update."""

    def __init__(self, model, lr, momentum, accumulate):
        self.model, self.k = model, accumulate
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum)

    def train_epoch(self, loader):
        self.model.train()
        seen, total = 0, 0.0
        pending = 0
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(self.model(x), y)
            loss.mul(1.0 / self.k).backward()
            pending += 1
            total += loss.item() * len(x)
            seen += len(x)
            if pending == self.k or i + 1 == len(loader):
                self.opt.step()
                self.opt.zero_grad()
                pending = 0
        return total / seen

    def test(self, loader):
        was = self.model.training
        self.model.eval()
        good = n = 0
        with torch.inference_mode():
            for x, y in loader:
                good += (self.model(x).argmax(1) == y).sum().item()
                n += len(y)
        self.model.train(was)
        return good / n
