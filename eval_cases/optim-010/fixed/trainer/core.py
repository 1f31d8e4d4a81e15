import torch


class Trainer:
    def __init__(self, model, optimizer, criterion, hooks=()):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.hooks = list(hooks)

    def fit(self, x, y, epochs, batch_size):
        for _ in range(epochs):
            self.model.train()
            total = 0.0
            for rows in torch.randperm(len(x)).split(batch_size):
                self.model.zero_grad(set_to_none=True)
                loss = self.criterion(self.model(x[rows]), y[rows])
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(rows)
            for hook in self.hooks:
                hook.after_epoch(self, total / len(x))

    def predict(self, x):
        self.model.eval()
        with torch.no_grad():
            return self.model(x)
