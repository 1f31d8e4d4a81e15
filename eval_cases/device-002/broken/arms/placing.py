import json
from pathlib import Path


class Placement:
    def __init__(self, path: Path):
        spec = json.loads(path.read_text())
        self.default = spec["default"]
        self.parts = spec["parts"]

    def put(self, model):
        model.to(self.default)
        for name, device in self.parts.items():
            getattr(model, name).to(device)
        return model
