"""Do labels say the same as their neighbours' labels, and would they one row further on?

Tables and label columns that the user's frames can see at the first backward call are compared row
by row: the label of a row with those of the rows most like it (nearest neighbours), also with the
labels moved by a row or two; rows that stand in two tables with different labels; and tables of
records whose keys name other rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.locals_view import named_values
from evidence_collectors.named_tables import MAX_ELEMENTS, tables_of

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

DEPTH = 5
MIN_ROWS = 60
MAX_ROWS = 800
MAX_PAIRS = 8
MAX_CLASSES = 60
NEIGHBOURS = 5
SHIFTS = (-3, -2, -1, 1, 2, 3)
MAX_RECORDS = 200_000


class AlignmentCollector:
    """Measures, once, how well labels in scope fit the rows in scope."""

    name: ClassVar[str] = "alignment"
    kinds: ClassVar[dict[str, str]] = {
        "labels.agreement": "a table and a label column of one length: names, rows, classes, share "
        "of neighbours with the row's label, the share that chance gives, and the same with the "
        "labels moved by the row offset that fits best",
        "labels.conflict": "rows of one table found in another with a label column of its own: "
        "names, rows found in both, those whose labels differ, agreement in both",
        "records.keys": "two lists of records of one length whose keys are the same set in another "
        "order: names, columns, rows, rows with equal keys",
        "labels.summary": "pairs looked at",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._done = False
        self._sets: list[Any] = []

    def loader_created(self, loader: Any, frame: Any) -> None:
        tensors = getattr(loader.dataset, "tensors", None)
        if isinstance(tensors, (tuple, list)) and len(self._sets) < 4:
            self._sets.append(tensors)

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        if self._done:
            return
        self._done = True
        tables: list[tuple[str, Any, Any]] = []
        records: list[tuple[str, Any, Any]] = []
        caller = self._probe.user_frame(frame)
        depth = 0
        while caller is not None and depth < DEPTH:
            names = named_values(caller)
            for name, value in tables_of(names, self._probe.torch):
                tables.append((name, value, caller))
            for name, value in names.items():
                if isinstance(value, list) and MIN_ROWS <= len(value) <= MAX_RECORDS:
                    records.append((name, value, caller))
            caller = self._probe.user_frame(caller.f_back)
            depth += 1
        for tensors_ in self._sets:
            for index, value in enumerate(tensors_):
                tables.append((f"dataset.tensors[{index}]", value, None))
        self._sets.clear()
        at = self._probe.locate(frame)
        with self._probe.torch.no_grad():
            pairs = self._pairs(tables)
            self._conflicts(pairs, at)
        self._keys(records, at)
        self._probe.record("labels.summary", {"pairs": len(pairs), "records": len(records)}, at=at)

    def _pairs(self, tables: list[tuple[str, Any, Any]]) -> list[dict[str, Any]]:
        """Each table of numbers with each label column of its length, measured."""
        rows: list[tuple[str, Any]] = []
        labels: list[tuple[str, Any]] = []
        seen: set[Any] = set()
        for name, value, _ in tables:
            tensor = self._tensor(value)
            if tensor is None or len(tensor) < MIN_ROWS:
                continue
            mark = (len(tensor), tuple(tensor.shape[1:]), float(tensor.reshape(-1)[:64].sum()))
            if mark in seen:
                continue
            seen.add(mark)
            flat = tensor.reshape(len(tensor), -1)
            if flat.shape[1] == 1:
                if self._are_labels(flat[:, 0]):
                    labels.append((name, flat[:, 0]))
            elif flat.shape[1] <= 4096:
                rows.append((name, flat))
        found: list[dict[str, Any]] = []
        for name, table in rows:
            for other, column in labels:
                if len(column) == len(table) and len(found) < MAX_PAIRS:
                    found.append(self._measure(name, table, other, column))
        return found

    def _tensor(self, value: Any) -> Optional[Any]:
        torch = self._probe.torch
        try:
            if not isinstance(value, torch.Tensor):
                value = value.to_numpy() if hasattr(value, "to_numpy") else value
                if value.dtype.kind not in "iuf" or value.size > MAX_ELEMENTS:
                    return None
                value = torch.as_tensor(value.astype("float64"))
            if value.is_complex() or value.numel() > MAX_ELEMENTS or value.dim() < 1:
                return None
            if value.dtype == torch.bool:
                return None
            return value.detach().to("cpu", torch.float64)
        except Exception:
            return None

    def _are_labels(self, column: Any) -> bool:
        torch = self._probe.torch
        head = column[: 4 * MAX_ROWS]
        if not bool(torch.isfinite(head).all()) or bool((head != head.round()).any()):
            return False
        return 2 <= int(torch.unique(head).numel()) <= MAX_CLASSES

    def _measure(self, name: str, table: Any, other: str, labels: Any) -> dict[str, Any]:
        torch = self._probe.torch
        margin = max(abs(shift) for shift in SHIFTS)
        rows = torch.nan_to_num(table[: MAX_ROWS + 2 * margin])
        answers = labels[: len(rows)]
        rows = (rows - rows.mean(0)) / rows.std(0).clamp(min=1e-9)
        inner = rows[margin : len(rows) - margin]
        distance = torch.cdist(inner, inner)
        distance.fill_diagonal_(float("inf"))
        near = distance.topk(NEIGHBOURS, largest=False).indices

        def share(moved: Any) -> float:
            return float((moved[near] == moved[:, None]).double().mean())

        here = answers[margin : len(rows) - margin]
        _, counts = torch.unique(here, return_counts=True)
        chance = float(((counts / counts.sum()) ** 2).sum())
        best, offset = 0.0, 0
        for shift in SHIFTS:
            moved = answers[margin + shift : len(rows) - margin + shift]
            agreed = share(moved)
            if agreed > best:
                best, offset = agreed, shift
        facts = {
            "table": name,
            "labels": other,
            "rows": len(inner),
            "classes": len(counts),
            "agreement": share(here),
            "chance": chance,
            "moved_agreement": best,
            "offset": offset,
        }
        self._probe.record("labels.agreement", facts)
        return {**facts, "_rows": table, "_labels": labels}

    def _conflicts(self, pairs: list[dict[str, Any]], at: Any) -> None:
        """Rows that stand in two measured tables with labels of their own."""
        for one in pairs:
            for two in pairs:
                gain = two["agreement"] - one["agreement"]
                same = one["table"] == two["table"]  # two label columns of one table
                if same or gain < 0.1 or one["_rows"].shape[1] != two["_rows"].shape[1]:
                    continue
                known = self._marks(two["_rows"])
                both = differ = 0
                for index, mark in enumerate(self._marks(one["_rows"])):
                    place = known.get(mark) if isinstance(known, dict) else None
                    if place is not None:
                        both += 1
                        differ += bool(one["_labels"][index] != two["_labels"][place])
                if both >= MIN_ROWS:
                    facts = {key: one[key] for key in ("table", "labels", "agreement", "chance")}
                    facts.update({"other_table": two["table"], "other_labels": two["labels"]})
                    facts.update({"both": both, "differ": differ})
                    facts["other_agreement"] = two["agreement"]
                    self._probe.record("labels.conflict", facts, at=at)

    @staticmethod
    def _marks(table: Any) -> dict[Any, int]:
        """Row content to its index, in order; rows that occur twice are left out."""
        found: dict[Any, int] = {}
        twice: set[Any] = set()
        for index, row in enumerate(table[: 4 * MAX_ROWS, :8].tolist()):
            mark = tuple(row)
            if mark in found:
                twice.add(mark)
            found[mark] = index
        for mark in twice:
            del found[mark]
        return found

    def _keys(self, records: list[tuple[str, Any, Any]], at: Any) -> None:
        """Lists of records that name the same keys in another order."""
        columns: list[tuple[str, Any, int, list[Any]]] = []
        for name, value, _ in records[:12]:
            first = value[0]
            if isinstance(first, dict):
                places: list[Any] = list(first)[:8]
            elif isinstance(first, (list, tuple)):
                places = list(range(min(len(first), 8)))
            else:
                continue
            for place in places:
                try:
                    column = [row[place] for row in value]
                    unique = set(column)
                except (TypeError, KeyError, IndexError):
                    continue
                if len(unique) >= 0.95 * len(column) and not isinstance(column[0], float):
                    columns.append((name, place, len(column), column))
        for index, (name, place, length, column) in enumerate(columns):
            for other, second, count, values in columns[index + 1 :]:
                if other == name or count != length:
                    continue
                if len(set(column) & set(values)) < 0.95 * length:
                    continue
                same = sum(a == b for a, b in zip(column, values))
                facts: dict[str, Any] = {"first": name, "column": str(place), "second": other}
                facts.update({"second_column": str(second), "rows": length, "equal": same})
                facts["example"] = [str(column[0])[:40], str(values[0])[:40]]
                self._probe.record("records.keys", facts, at=at)


COLLECTOR = AlignmentCollector
