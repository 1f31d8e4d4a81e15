import re
from collections import Counter

import torch


class Vocabulary:
    def __init__(self, texts, least=2):
        counts = Counter(w for t in texts for w in re.findall(r"[a-z]+", t.lower()))
        self.index = {w: k for k, (w, n) in enumerate(sorted(counts.items())) if n >= least}

    def vector(self, text):
        out = torch.zeros(600)
        for w in re.findall(r"[a-z]+", text.lower()):
            if w in self.index:
                out[self.index[w]] += 1
        return out
