import contextlib
import tomllib

import torch


class Session:
    def __init__(self, path):
        with open(path, "rb") as fh:
            self.conf = tomllib.load(fh)
        torch.manual_seed(self.conf["seed"])

    def watch(self):
        stack = contextlib.ExitStack()
        stack.enter_context(torch.autograd.set_detect_anomaly(self.conf["diagnose"]["anomaly"]))
        return stack
