import torch.nn as nn

LAYERS = {
    "relu": nn.ReLU,
    "leaky_relu": lambda: nn.LeakyReLU(0.1),
    "linear": nn.Identity,
    "softmax": lambda: nn.Softmax(dim=1),
    "sigmoid": nn.Sigmoid,
}


def conv_block(cin, cout, act):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), LAYERS[act]())


class Segmenter(nn.Module):
    def __init__(self, bands, classes, width, blocks, activation, head):
        super().__init__()
        body = [conv_block(bands, width, activation)]
        body += [conv_block(width, width, activation) for _ in range(blocks - 1)]
        self.body = nn.Sequential(*body)
        self.project = nn.Conv2d(width, classes, 1)
        self.head = LAYERS[head]()

    def forward(self, image):
        return self.head(self.project(self.body(image)))
