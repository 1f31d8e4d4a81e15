"""Do a row's nearest other rows tell its target exactly, where a regression does not?"""

from __future__ import annotations

from typing import Any

MAX_ROWS = 1024


def agreement(torch: Any, inputs: Any, ids: Any, predicted: Any) -> dict[str, Any]:
    """Share of rows whose nearest class mean (leaving the row itself out) has the row's id.

    `inputs` [N, F...], `ids` and `predicted` [N]. Beside it: the share of predictions that round
    to the id, and how well the class means lie along one line (share of their variance that the id
    explains linearly, 0 to 1): on an ordered scale they do.
    """
    rows = inputs.reshape(inputs.shape[0], -1)[:MAX_ROWS]
    ids, predicted = ids[:MAX_ROWS], predicted[:MAX_ROWS]
    scale = rows.std(0, unbiased=False).clamp(min=1e-12)
    rows = (rows - rows.mean(0)) / scale
    names = torch.unique(ids)
    member = (ids[:, None] == names[None]).double()
    counts = member.sum(0)
    sums = member.t() @ rows
    means = sums / counts[:, None]
    distance = torch.cdist(rows, means)
    own = member.argmax(1)
    left_out = (sums[own] - rows) / (counts[own] - 1).clamp(min=1)[:, None]
    here = torch.arange(len(rows))
    distance[here, own] = (rows - left_out).norm(dim=1)
    return {
        "rows": len(rows),
        "classes": len(names),
        "nearest_mean": float((names[distance.argmin(1)] == ids).double().mean()),
        "rounded": float((predicted.round() == ids).double().mean()),
        "linear": _linear_share(names, means, counts),
    }


def _linear_share(names: Any, means: Any, counts: Any) -> float:
    weights = counts / counts.sum()
    x = names - (weights * names).sum()
    centred = means - (weights[:, None] * means).sum(0)
    slope = (weights[:, None] * x[:, None] * centred).sum(0) / (weights * x * x).sum().clamp(
        min=1e-300
    )
    total = (weights[:, None] * centred**2).sum().clamp(min=1e-300)
    return float((weights[:, None] * (x[:, None] * slope) ** 2).sum() / total)
