import torch


class Callback:
    def epoch_end(self, engine, epoch, stats):
        pass


class Printer(Callback):
    def __init__(self, every=1):
        self.every = every

    def epoch_end(self, engine, epoch, stats):
        if epoch % self.every == 0:
            print(f"epoch {epoch:02d} " + " ".join(f"{k} {v:.4f}" for k, v in stats.items()))


class KeepBest(Callback):
    def __init__(self, key):
        self.key, self.best = key, float("-inf")

    def epoch_end(self, engine, epoch, stats):
        self.best = max(self.best, stats[self.key])


class Engine:
    def __init__(self, net, opt, loss_fn, callbacks=()):
        self.net, self.opt, self.loss_fn, self.callbacks = net, opt, loss_fn, callbacks

    def fit(self, loader, valid, epochs):
        for epoch in range(1, epochs + 1):
            self.net.train()
            total = n = 0
            for x, y in loader:
                loss = self.loss_fn(self.net(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                total, n = total + loss.item() * len(x), n + len(x)
            stats = {"loss": total / n, "accuracy": self.accuracy(*valid)}
            for cb in self.callbacks:
                cb.epoch_end(self, epoch, stats)

    @torch.no_grad()
    def accuracy(self, x, y):
        self.net.eval()
        return (self.net(x).argmax(1) == y).double().mean().item()
