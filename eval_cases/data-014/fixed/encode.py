import numpy as np


class MeanEncoder:
    """Replaces a shop number by the share of returned parcels of that shop."""

    def fit(self, shop, returned):
        self.overall = returned.mean()
        self.table = {s: returned[shop == s].mean() for s in np.unique(shop)}
        return self

    def transform(self, shop):
        return np.array([self.table.get(s, self.overall) for s in shop])
