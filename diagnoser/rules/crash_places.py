"""Lines that did what an exception only noticed, read from the frames and the records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from diagnoser.rules.crash import Crash
from diagnoser.rules.examination import location
from diagnoser.rules.source_search import (
    assigned_before,
    fed_back,
    functions,
    lines_matching,
    loop_around,
    nearest,
    returns_nothing,
)
from diagnoser.schema import Location

FOLDING = r"\.(view|reshape)\(\s*-1|flatten\(\s*(0\s*,|\))|flatten\(start_dim\s*=\s*0"
"""Reshapes that may fold other dimensions into the batch."""
HIDDEN = r"torch\.(zeros|randn|ones|empty)\(|new_zeros\(|init_hidden|\bh0\b|\bhx\b"
IN_PLACE = (
    r"^\s*[\w.]+(\[[^\]]*\])?\s*(\+|-|\*|/)=|^\s*[\w.]+\[[^\]]*\]\s*=[^=]|"
    r"\.(add|sub|mul|div|clamp|relu|sigmoid|tanh|fill|zero|copy|masked_fill|index_fill|scatter|exp|"
    r"normal|uniform|pow)_\(|inplace\s*=\s*True"
)
"""Writes into a tensor: augmented assignment, item assignment, methods that end with `_`."""
NOT_A_GRAPH = r"optim\.|DataLoader\(|Dataset\(|Loss\(|nn\.|load_|arange|device\("
LOSS_FILES = ("loss.py",)
LOSS_FUNCTIONS = frozenset(
    {"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "binary_cross_entropy"}
)


def caller(crash: Crash) -> Location | None:
    """The user's innermost line that is not a module's own method: where the model is called."""
    for frame in reversed(crash.frames):
        if frame.get("user") and not frame.get("method_of"):
            return location(frame)
    return None


def in_loss(crash: Crash) -> bool:
    """Whether the exception was raised below a loss of the library."""
    return any(
        not frame.get("user")
        and (
            PurePath(str(frame.get("file"))).name in LOSS_FILES
            or frame.get("function") in LOSS_FUNCTIONS
        )
        for frame in crash.frames
    )


def last_layer(crash: Crash, outputs: str | None) -> Location | None:
    """The line that ends with the number of outputs: `nn.Linear(64, 10)`, `classes=10`."""
    if outputs is None:
        return None
    found = lines_matching(
        crash.examination.sources, rf"(Linear|Conv\d?d|LazyLinear)\(.*\b{outputs}\s*[,)]"
    )
    if found:
        return found[-1]
    layers = lines_matching(crash.examination.sources, r"\bLinear\(|\bLazyLinear\(")
    return layers[-1] if layers else None


def channels_last_origin(crash: Crash, shape: Sequence[int]) -> Location | None:
    """The last line that made a tensor of this shape, but for the batch size."""
    made = [
        record.at
        for record in crash.examination.of("tensor.origin")
        if list((record.data.get("result") or {}).get("shape", ()))[1:] == list(shape[1:])
        or list((record.data.get("result") or {}).get("shape", ())) == list(shape[1:])
    ]
    return made[-1] if made else None


def batch_folded_at(crash: Crash) -> Location | None:
    """The reshape nearest to the model's code that may fold other dimensions into the batch."""
    return nearest(lines_matching(crash.examination.sources, FOLDING), crash.at)


def axes_swapped(crash: Crash, wanted: int, given: int) -> bool:
    """Whether a tensor that ends with the given size has the wanted one in another place."""
    shapes = [list(facts.get("shape") or ()) for facts in crash.tensors.values()]
    return any(len(s) >= 2 and s[-1] == given and wanted in s[:-1] for s in shapes)


def hidden_state_at(crash: Crash) -> Location | None:
    """The line nearest to the crash that makes a hidden state."""
    return nearest(lines_matching(crash.examination.sources, HIDDEN), crash.at)


def loader_line(crash: Crash) -> Location | None:
    """Where the DataLoader that was read from is constructed, if there is only one candidate."""
    made = crash.examination.of("loader.created")
    return made[0].at if made else None


def written_in_place(crash: Crash) -> list[Location]:
    """In-place writes in the user's code, those nearest to the traceback's lines first."""
    found = lines_matching(crash.examination.sources, IN_PLACE)
    noticed = crash.at
    return sorted(
        (place for place in found if place != noticed),
        key=lambda place: (
            noticed is None or place.file != noticed.file,
            abs(place.line - (noticed.line if noticed is not None else 0)),
        ),
    )


def carried_over(crash: Crash) -> list[Location]:
    """What a second walk may have taken up from an earlier pass of the loop, the likeliest first.

    A call whose result is its own next input; another backward in the same pass; a value that was
    computed before the loop.
    """
    sources = crash.examination.sources
    found: list[Location] = []
    for place in crash.user_lines:
        loop = loop_around(sources, place)
        if loop is None:
            continue
        found += fed_back(loop, place.file)
        others = lines_matching(sources, r"\.backward\(", place.file)
        end = loop.end_lineno or loop.lineno
        found += [p for p in others if loop.lineno <= p.line <= end and p.line != place.line]
        found += [
            before
            for before in assigned_before(sources, loop, place.file)
            if re.search(r"=\s*[\w.]+\(.*\)", crash.examination.line(before))
            and not re.search(NOT_A_GRAPH, crash.examination.line(before))
        ][-1:]
    return found


def returning_nothing(crash: Crash) -> tuple[str, Location, Location] | None:
    """A function of the user's that should give a value and has none: name, last line, head."""
    code = crash.code
    found = [
        (node.name, Location(file=path, line=node.body[-1].lineno), node.lineno)
        for path, node in functions(crash.examination.sources)
        if returns_nothing(node)
        and (node.name in ("forward", "__getitem__", "__call__") or f"{node.name}(" in code)
    ]
    called = [entry for entry in found if f"{entry[0]}(" in code]
    for name, end, head in called or found:
        return name, end, Location(file=end.file, line=head)
    return None
