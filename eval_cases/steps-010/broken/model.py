from torch import nn
from torch.nn import functional as F


class Joint(nn.Module):
    def __init__(self, width, latent):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(width, 32), nn.ELU(), nn.Linear(32, latent))
        self.decode = nn.Sequential(nn.Linear(latent, 32), nn.ELU(), nn.Linear(32, width))
        self.judge = nn.Linear(latent, 1)

    def diagnose(self, x):
        return self.judge(self.encode(x)).squeeze(1)

    def terms(self, x, y):
        z = self.encode(x)
        return {
            "reconstruction": F.mse_loss(self.decode(z), x),
            "diagnosis": F.binary_cross_entropy_with_logits(self.judge(z).squeeze(1), y),
        }
