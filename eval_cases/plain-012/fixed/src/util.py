import contextlib

import torch


@contextlib.contextmanager
def evaluating(model):
    state = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield model
    finally:
        model.train(state)
