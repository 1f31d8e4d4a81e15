"""The cause `empty-loader`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, STRONG, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.readings import place_text


class EmptyLoader(Rule):
    """The loader or the loop yields no batch: nothing is trained and nothing fails.

    What it detects:
        A script that constructs an optimizer, ends without an error, and never makes a step or a
        backward call; with a loader that has no batch at all, or data without a row.
    Why it breaks training:
        The loop body never runs, so that the model keeps its initial weights.
    Evidence:
        run.end: updates and backward calls; loader.created: samples, batch size, drop_last.
    Example:
        loader = DataLoader(dataset, batch_size=512, drop_last=True)  # 480 samples
    Use instead:
        loader = DataLoader(dataset, batch_size=64, drop_last=True)
    Can be confused with:
        A script that only evaluates; missing-optimizer-step, where backward is called.
    Verify:
        Print len(loader).
    Prevent:
        Assert that the loader has at least one batch.
    References:
        PyTorch documentation, torch.utils.data.DataLoader, drop_last.
    """

    slug: ClassVar[str] = "empty-loader"
    title: ClassVar[str] = "No batch ever reaches the training loop"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"loss-flat": -4, "underfitting": -6, "slow": -14}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"super fast|at once|instantly|finishes (in|after) (a|one) second|drop_last",
            6,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("optimizer.summary", "loader.created")
    fix_summary: ClassVar[str] = "Make the batch fit the data, and check that there are data"
    prevention: ClassVar[str] = "Assert before the loop that the loader has at least one batch."

    def weigh(self, examination: Examination) -> list[Finding]:
        ended = examination.last("run.end")
        optimizers = examination.of("optimizer.summary")
        if ended is None or not optimizers:
            return [missing("no optimizer was constructed")]
        ends = [record.data for record in examination.of("run.end")]  # one for each process
        trained = any(int(end.get("updates", 0)) or int(end.get("backwards", 0)) for end in ends)
        if trained or examination.exit != 0 or examination.stopped != "finished":
            return [silent("steps are made")]
        empty = [record for record in examination.of("loader.created") if _batches(record) == 0]
        if empty:
            data = empty[0].data
            why = "drop_last" if int(data["length"]) else "an empty dataset"
            note = (
                f"The loader at {place_text(empty[0].at)} has no batch: {data['length']} samples, "
                f"batch size {data['batch_size']}, {why}; 0 updates in the whole run"
            )
            fact = Fact("loader.created", note, empty[0].at, 0, dict(data))
            return [fired(DECISIVE, fact, note, places=[empty[0].at], direct=True)]
        record = optimizers[0]
        note = (
            f"{record.data['class']} is constructed, and the script ends without an error, a "
            f"backward call or an update: the training loop has nothing to go through"
        )
        fact = Fact("run.end", note, record.at, 0, dict(ended.data))
        return [fired(STRONG, fact, note, places=[record.at], direct=True)]


def _batches(record: Record) -> int | None:
    """Number of batches of a loader; None if its length is not known."""
    length, size = record.data.get("length"), record.data.get("batch_size")
    if length is None or not size:
        return None
    return (
        int(length) // int(size) if record.data.get("drop_last") else -(-int(length) // int(size))
    )
