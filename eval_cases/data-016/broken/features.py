import numpy as np
import pandas as pd


def demand(days, seed):
    rng = np.random.default_rng(seed)
    push = rng.normal(0, 1, days)
    drift = np.zeros(days)
    for k in range(1, days):
        drift[k] = 0.55 * drift[k - 1] + push[k]
    return pd.Series(100 + np.cumsum(drift))


def table(series, conf):
    step = series.diff()
    smooth = series.rolling(conf["smooth"]["window"], center=conf["smooth"]["center"]).mean()
    frame = pd.DataFrame({f"step_{k}": step.shift(k - 1) for k in conf["lags"]})
    frame["over_trend"] = series - smooth
    frame["trend_step"] = smooth.diff()
    frame["up"] = (step.shift(-1) > 0).astype(float)
    return frame.dropna().iloc[:-1]
