import torch


def clip(model, limit):
    torch.nn.utils.clip_grad_norm_(model.parameters(), limit)


class Engine:
    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.steps = model, optimizer, 0
        self.handlers = {"gradients_ready": [], "parameters_updated": []}

    def on(self, event, handler):
        self.handlers[event].append(handler)

    def count(self):
        self.steps += 1

    def fire(self, event):
        for handler in self.handlers[event]:
            handler()

    def run(self, source, n):
        total = 0.0
        for _ in range(n):
            x, y = source(32)
            self.optimizer.zero_grad()
            loss = torch.nn.functional.smooth_l1_loss(self.model(x), y)
            loss.backward()
            self.fire("gradients_ready")
            self.optimizer.step()
            self.fire("parameters_updated")
            total += loss.item()
        return total / n
