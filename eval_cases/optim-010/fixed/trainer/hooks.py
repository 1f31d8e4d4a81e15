class Hook:
    def after_epoch(self, trainer, loss):
        pass


class History(Hook):
    def __init__(self, every):
        self.every, self.losses = every, []

    def after_epoch(self, trainer, loss):
        self.losses.append(loss)
        if len(self.losses) % self.every == 0:
            print(f"epoch {len(self.losses):3d} | loss {loss:.4f}")


class Plateau(Hook):
    """Halves the learning rate when the loss has not improved for a while."""

    def __init__(self, patience):
        self.patience, self.best, self.waited = patience, float("inf"), 0

    def after_epoch(self, trainer, loss):
        if loss < self.best:
            self.best, self.waited = loss, 0
            return
        self.waited += 1
        if self.waited > self.patience:
            self.waited = 0
            for group in trainer.optimizer.param_groups:
                group["lr"] *= 0.5
