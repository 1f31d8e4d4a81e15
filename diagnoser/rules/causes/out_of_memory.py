"""The cause `out-of-memory`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Finding
from diagnoser.rules.crash import Crash, CrashRule

CAPACITY = r"total capacity of ([\d.]+ [KMGT]iB)|([\d.]+ [KMGT]iB) total capacity"
FREE = r"of which ([\d.]+ [KMGT]iB) is free|([\d.]+ [KMGT]iB) free"
IN_USE = r"([\d.]+ [KMGT]iB) (?:already )?(?:memory )?(?:in use|allocated)"


class OutOfMemory(CrashRule):
    """The run needs more memory than there is.

    What it detects:
        An allocation fails on the device or in host memory.
    Why it breaks training:
        Parameters, gradients, optimizer state and activations together exceed what there is;
        activations grow with the batch.
    Evidence:
        exception.raised: how much was asked for, how much is free and in use.
    Example:
        loader = DataLoader(data, batch_size=512)
    Use instead:
        loader = DataLoader(data, batch_size=128)      # accumulate over 4
    Can be confused with:
        Memory that grows from step to step (graph-retained, memory-leak): then a smaller batch only
        delays it.
    Verify:
        Halve the batch: the peak must fall by about half of the activations' share.
    Prevent:
        Estimate the peak before a run: 16 bytes a parameter with Adam in float32, plus activations.
    References:
        PyTorch documentation, CUDA memory management.
    """

    slug: ClassVar[str] = "out-of-memory"
    title: ClassVar[str] = "Memory runs out"
    category: ClassVar[str] = "memory"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"out-of-memory": 0, "crash": -10}
    patterns: ClassVar[tuple[str, ...]] = (
        r"CUDA out of memory\. Tried to allocate (?P<want>[\d.]+ [KMGT]iB)",
        r"can't allocate memory: you tried to allocate (?P<bytes>\d+) bytes",
        r"Unable to allocate (?P<want>[\d.]+ [KMGTP]iB) for an array with shape"
        r" \((?P<shape>[\d, ]+)\)",
        r"MPS backend out of memory",
        r"(?:^|\W)MemoryError",
        r"CUDA error: out of memory",
        r"DataLoader worker .* killed by signal: Killed",
        r"oom_kill|Out of memory: Killed",
    )
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"(very )?first (batch|forward|step|iteration)|at once|immediately|"
            r"right away|at the start",
            6,
        ),
        Cue(
            r"batch.?size|batch \d+|\d+ ?x ?\d+ images?|image size|\d+ ?gb (card|gpu)|"
            r"doesn'?t grow|does not grow",
            5,
        ),
        Cue(r"tried to allocate", 8),
        Cue(
            r"grow|climb|leak|after .{0,12}(batches|steps|epochs|iterations)|not (in|"
            r"at) the (start|beginning)|never (in|at) the (start|beginning)",
            -6,
        ),
    )
    fix_summary: ClassVar[str] = (
        "Make the batch or the array smaller; accumulate gradients to keep the effective batch"
    )
    prevention: ClassVar[str] = "Log the peak of the first steps and compare it with what there is."

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        groups = found.groupdict()
        want = groups.get("want")
        if groups.get("bytes"):
            want = f"{int(groups['bytes']) / 2**30:.3g} GiB"
        note = f"An allocation of {want} fails" if want else crash.message.splitlines()[0][:160]
        for label, pattern in (("capacity", CAPACITY), ("free", FREE), ("in use", IN_USE)):
            match = re.search(pattern, crash.message)
            if match is not None:
                note += f", {label} {match.group(1)}"
        if groups.get("shape"):
            note += f" (an array of shape [{groups['shape'].strip(' ,')}])"
        return crash.finding(note)
