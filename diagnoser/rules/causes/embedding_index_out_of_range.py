"""The cause `embedding-index-out-of-range`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.readings import place_text


class EmbeddingIndexOutOfRange(CrashRule):
    """A token id lies outside of an embedding's table.

    What it detects:
        An embedding is asked for a row below 0 or not below num_embeddings.
    Why it breaks training:
        The lookup has no such row; on a GPU it shows as a device-side assert.
    Evidence:
        exception.raised: the table's size, the least and greatest id asked for, the layer's line.
    Example:
        nn.Embedding(1000, 32)        # ids run up to 1000
    Use instead:
        nn.Embedding(1001, 32)
    Can be confused with:
        A class id outside of the loss's classes; a position beyond the longest length.
    Verify:
        Print ids.max() and the layer's num_embeddings.
    Prevent:
        Build the table from the vocabulary that the ids come from, with its special tokens.
    References:
        PyTorch documentation, torch.nn.Embedding.
    """

    slug: ClassVar[str] = "embedding-index-out-of-range"
    title: ClassVar[str] = "A token id lies outside of the embedding's table"
    category: ClassVar[str] = "shape"
    prior: ClassVar[Mapping[str, int]] = {"crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"index out of range in self",
        r"Index \d+ of input takes value (?P<id>-?\d+) which is not in the valid range \[0,"
        r" (?P<rows>\d+)\)",
        r"Assertion `srcIndex < srcSelectDimSize`",
    )
    fix_summary: ClassVar[str] = (
        "Make the table as big as the greatest id plus 1, or map unknown ids"
    )
    prevention: ClassVar[str] = (
        "Take num_embeddings from the vocabulary itself and assert ids.max() < num_embeddings."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        layer = crash.layer
        rows = found.groupdict().get("rows")
        if rows is None and layer is not None and "weight" in layer.parameters:
            rows = str(layer.parameters["weight"]["shape"][0])
        ids = next(
            (
                facts
                for facts in crash.tensors.values()
                if str(facts.get("dtype")).startswith("int")
            ),
            {},
        )
        wanted = found.groupdict().get("id") or ids.get("max")
        if ids.get("min") is not None and ids["min"] < 0:
            wanted = ids["min"]
        note = "An embedding is asked for a row that it does not have"
        if rows is not None and wanted is not None:
            last = int(rows) - 1
            note = (
                f"The table has {rows} rows (ids 0 to {last}) and is asked for id {float(wanted):g}"
            )
        site = layer.site if layer is not None else None
        if site is not None:
            note += f" (constructed at {place_text(site)})"
        return crash.finding(note, [site])
