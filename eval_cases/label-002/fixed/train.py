import argparse
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

from birds.model import make_model
from birds.table import read_birds


def main(args: argparse.Namespace) -> None:
    torch.manual_seed(args.seed)
    train, test, names = read_birds(args.data, args.seed)
    model = make_model(4, len(names), args.width)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    print(f"{len(train)} birds, kinds: {', '.join(names)}")
    for epoch in range(args.epochs):
        seen = 0.0
        for x, y in DataLoader(train, batch_size=args.batch, shuffle=True):
            loss = cross_entropy(model(x), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            seen += loss.item() * len(y)
        if epoch % 5 == 4:
            print(f"{epoch + 1:3d} {seen / len(train):.4f}")
    with torch.inference_mode():
        right = sum((model(x).argmax(-1) == y).sum().item() for x, y in DataLoader(test, batch_size=64))
    print(f"test accuracy {right / len(test):.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path(__file__).parent / "data")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--width", type=int, default=24)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=7)
    main(parser.parse_args())
