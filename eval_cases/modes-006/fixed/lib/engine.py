import torch
from torch.nn.functional import cross_entropy


class Engine:
    def __init__(self, model, train_data, val_data, lr, batch_size):
        self.model = model
        self.x, self.y = train_data
        self.vx, self.vy = val_data
        self.batch_size = batch_size
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)

    def fit(self, epochs):
        loss, acc = self.validate()
        print(f"start: val loss {loss:.3f} accuracy {acc:.3f}")
        for epoch in range(1, epochs + 1):
            self.train_epoch()
            if epoch % 3 == 0:
                loss, acc = self.validate()
                print(f"epoch {epoch}: val loss {loss:.3f} accuracy {acc:.3f}")
        return self.validate()

    def train_epoch(self):
        self.model.train()
        perm = torch.randperm(len(self.x))
        for start in range(0, len(perm) - self.batch_size + 1, self.batch_size):
            rows = perm[start:start + self.batch_size]
            loss = cross_entropy(self.model(self.x[rows]), self.y[rows])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            out = self.model(self.vx)
        return cross_entropy(out, self.vy).item(), (out.argmax(1) == self.vy).float().mean().item()
