"""The cause `left-on-cpu`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import STRONG, WEAK, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination
from diagnoser.rules.readings import place_text


class LeftOnCpu(Rule):
    """The model trains on the CPU beside an idle accelerator.

    What it detects:
        A machine on which torch offers CUDA, and losses that lie on the CPU in every backward call
        looked at.
    Why it breaks training:
        It does not: the run is right, and many times slower than it could be.
    Evidence:
        environment.versions: the device that torch offers; loss.backward: the device of the loss.
    Example:
        model = Net()
    Use instead:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        model = Net().to(device)
    Can be confused with:
        A device that is not there (device-unavailable); a small net, for which the CPU is faster.
    Verify:
        Print next(model.parameters()).device.
    Prevent:
        Print the device of the model and of the first batch.
    References:
        PyTorch documentation, "CUDA semantics".
    """

    slug: ClassVar[str] = "left-on-cpu"
    title: ClassVar[str] = "The model trains on the CPU beside an idle device"
    category: ClassVar[str] = "device management"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {"slow": -3}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"nvidia-smi .{0,40}(nothing|0 ?%|no process)", 10),
        Cue(
            r"gpu .{0,20}(idle|unused|not used|0 ?%)|all .{0,12}cores (are )?busy|"
            r"on (the )?cpu",
            6,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("environment.versions", "loss.backward")
    fix_summary: ClassVar[str] = "Move the model and each batch to the device"
    prevention: ClassVar[str] = "Print the device of the model and of the first batch."

    def weigh(self, examination: Examination) -> list[Finding]:
        versions = examination.last("environment.versions")
        losses = examination.of("loss.backward")
        if versions is None or not losses:
            return [missing("no backward call was looked at")]
        device = str(versions.data.get("device", "cpu"))
        seen = {str(record.data.get("loss", {}).get("device", "cpu")) for record in losses}
        if device == "cpu" or seen != {"cpu"}:
            return [silent(f"losses lie on {', '.join(sorted(seen))}; torch offers {device}")]
        at = losses[0].at
        note = f"torch offers {device}, and the loss at {place_text(at)} lies on the CPU each time"
        fact = Fact("loss.backward", note, at, losses[0].step)
        asked = "slow" in examination.asked
        return [fired(STRONG if asked else WEAK, fact, note, places=[at], direct=asked)]
