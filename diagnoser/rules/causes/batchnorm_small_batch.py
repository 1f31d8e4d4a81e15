"""The cause `batchnorm-small-batch`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule


class BatchnormSmallBatch(CrashRule):
    """Batch statistics are taken over one or a few samples.

    What it detects:
        In training mode batch-norm gets a batch of one sample, mostly the incomplete last batch.
    Why it breaks training:
        The variance over one value is 0: there is nothing to normalise by.
    Evidence:
        exception.raised: the shape; loader.created: length, batch size and drop_last.
    Example:
        DataLoader(data, batch_size=32)        # 481 samples: the last batch holds 1
    Use instead:
        DataLoader(data, batch_size=32, drop_last=True)
    Can be confused with:
        A single sample at inference, where eval() is missing.
    Verify:
        Compute len(dataset) % batch_size.
    Prevent:
        Set drop_last=True for training, or use layer or group normalisation.
    References:
        Ioffe and Szegedy, Batch Normalization (2015).
    """

    slug: ClassVar[str] = "batchnorm-small-batch"
    title: ClassVar[str] = "Batch-norm is given one value per channel"
    category: ClassVar[str] = "evaluation"
    prior: ClassVar[Mapping[str, int]] = {"crash": -6, "inconsistent": -12}
    needs: ClassVar[tuple[str, ...]] = ("exception.raised", "loader.created")
    patterns: ClassVar[tuple[str, ...]] = (
        r"Expected more than 1 (value per channel|spatial element) when training, got input"
        r" size (torch\.Size\(\[)?(?P<shape>[\d, ]*)",
    )
    fix_summary: ClassVar[str] = (
        "Drop the incomplete last batch, or choose a batch size that leaves none of one"
    )
    prevention: ClassVar[str] = "Set drop_last=True on the training loader."

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        note = f"Batch-norm gets an input of [{found.group('shape')}] in training mode"
        for loader in crash.examination.of("loader.created"):
            length, size = loader.data.get("length"), loader.data.get("batch_size")
            if (
                length
                and size
                and int(length) % int(size) == 1
                and not loader.data.get("drop_last")
            ):
                note += f": {length} samples in batches of {size} leave a last batch of 1"
                return crash.finding(note, [loader.at])
        return crash.finding(note)
