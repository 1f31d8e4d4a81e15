"""A tiny training loop whose iteration is a list of named stages."""


class Loop:
    def __init__(self, model, optimizer, loss_fn, stages, clip=None):
        self.model, self.optimizer, self.loss_fn, self.clip = model, optimizer, loss_fn, clip
        self.stages = [getattr(self, "on_" + name) for name in stages]
        self.batch = self.output = self.loss = None

    def on_forward(self):
        x, y = self.batch
        self.output = self.model(x)
        self.loss = self.loss_fn(self.output, y)

    def on_backward(self):
        self.loss.backward()

    def on_zero_grad(self):
        self.optimizer.zero_grad()

    def on_clip(self):
        for group in self.optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.clamp_(-self.clip, self.clip)

    def on_update(self):
        self.optimizer.step()

    def __call__(self, batch):
        self.batch = batch
        for stage in self.stages:
            stage()
        return self.loss.item()
