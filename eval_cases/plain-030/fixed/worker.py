"""Training in a background thread, results through a queue; a step that fails is skipped and counted."""
import queue
import threading

import torch
from torch import nn
from sklearn.datasets import load_diabetes


class Worker(threading.Thread):
    def __init__(self, q, stop):
        super().__init__(daemon=True)
        self.q, self.stop = q, stop
        self.model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3, weight_decay=1e-3)
        self.skipped = 0

    def batches(self, X, Y):
        while True:
            for idx in torch.randperm(len(X)).split(32):
                yield X[idx], Y[idx]

    def run(self):
        X, Y = load_diabetes(return_X_y=True)
        X = torch.tensor(X * 20).float()
        Y = torch.tensor((Y - Y.mean()) / Y.std()).float().view(-1, 1)
        X, Xv, Y, Yv = X[:350], X[350:], Y[:350], Y[350:]
        for step, (x, y) in enumerate(self.batches(X, Y)):
            if self.stop.is_set() or step >= 400:
                break
            try:
                self.opt.zero_grad()
                loss = nn.functional.huber_loss(self.model(x), y)
                if not torch.isfinite(loss):
                    raise FloatingPointError("bad loss")
                loss.backward()
                self.opt.step()
            except (FloatingPointError, RuntimeError) as e:
                self.skipped += 1
                print("skip", e)
                continue
            if step % 40 == 0:
                with torch.no_grad():
                    r2 = 1 - ((self.model(Xv) - Yv) ** 2).mean() / Yv.var()
                self.q.put((step, loss.item(), r2.item()))
        self.q.put(None)


torch.manual_seed(0)
q, stop = queue.Queue(), threading.Event()
w = Worker(q, stop)
w.start()
while (item := q.get()) is not None:
    print("step %d loss %.4f val R2 %.3f" % item)
stop.set()
w.join()
print("skipped", w.skipped)
