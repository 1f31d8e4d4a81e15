import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=12)
parser.add_argument("--lr", type=float, default=3e-3)
parser.add_argument("--amp", action="store_true")


def fields(n, seed):
    g = torch.Generator().manual_seed(seed)
    centres = torch.randn(4, 9, generator=torch.Generator().manual_seed(99)) * 1.2
    crop = torch.randint(0, 4, (n,), generator=g)
    bands = centres[crop] + torch.randn(n, 9, generator=g)
    return TensorDataset(bands, crop)


class Trainer:
    def __init__(self, net, lr, amp):
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda") if amp and torch.cuda.is_available() else None
        self.criterion = nn.CrossEntropyLoss()

    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.criterion(self.net(x), y)
        if self.scaler is not None:
            self.scaler.scale(loss).backward()
            self.scaler.step(self.opt)
            self.scaler.update()
        else:
            self.opt.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, data):
        self.net.eval()
        x, y = data.tensors
        hit = (self.net(x).argmax(1) == y).float().mean().item()
        self.net.train()
        return hit


def main(args):
    torch.manual_seed(4)
    train, test = fields(1200, 1), fields(400, 2)
    net = nn.Sequential(nn.Linear(9, 32), nn.ReLU(), nn.Linear(32, 4))
    trainer = Trainer(net, args.lr, args.amp)
    loader = DataLoader(train, batch_size=64, shuffle=True)
    for epoch in range(args.epochs):
        mean = sum(trainer.step(x, y) for x, y in loader) / len(loader)
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1} loss {mean:.4f}")
    print(f"test accuracy {trainer.accuracy(test):.3f}")


if __name__ == "__main__":
    main(parser.parse_args())
