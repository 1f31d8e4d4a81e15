import torch

from houses.data import load
from houses.model import Regressor
from houses.report import report


def main(epochs=10, batch=35, lr=2e-3):
    torch.manual_seed(20)
    data = load(seed=20)
    x, y = data["train"]
    model = Regressor(x.shape[1])
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    for epoch in range(1, epochs + 1):
        model.train()
        for rows in torch.randperm(len(x)).split(batch):
            loss = torch.nn.functional.smooth_l1_loss(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 5 == 0:
            line = " ".join(f"{k} {v:.3f}" for k, v in report(model, *data["test"]).items())
            print(f"epoch {epoch}: {line}")


if __name__ == "__main__":
    main()
