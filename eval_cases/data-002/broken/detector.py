import torch
from recordings import Recordings
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def tensors(n, seed):
    return tuple(torch.from_numpy(a) for a in Recordings(n, seed).usable())


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 12, 5, padding=2)
        self.out = nn.Linear(12 * 12, 1)

    def forward(self, w):
        h = nn.functional.max_pool1d(self.conv(w[:, None]).relu(), 2)
        return self.out(h.flatten(1)).squeeze(1)


def main():
    torch.manual_seed(0)
    train = TensorDataset(*tensors(900, 1))
    wt, ft = tensors(300, 2)
    model = Detector()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(10):
        total = 0.0
        for w, f in DataLoader(train, batch_size=32, shuffle=True):
            optimizer.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(model(w), f)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(w)
        print(f"epoch {epoch + 1}: {total / len(train):.4f}")
    with torch.no_grad():
        print(f"test accuracy {((model(wt) > 0) == ft.bool()).float().mean().item():.3f}")


if __name__ == "__main__":
    main()
