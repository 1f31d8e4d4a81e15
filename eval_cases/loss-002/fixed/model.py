from torch import nn
from torch.nn import functional as Fn


class WineNet(nn.Module):
    def __init__(self, n_features, n_classes, hidden=(32, 16), p=0.2):
        super().__init__()
        sizes = (n_features, *hidden)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.last = nn.Linear(sizes[-1], n_classes)
        self.p = p

    def features(self, x):
        for layer in self.layers:
            x = Fn.dropout(Fn.elu(layer(x)), self.p, self.training)
        return x

    def forward(self, x):
        return Fn.log_softmax(self.last(self.features(x)), dim=1)
