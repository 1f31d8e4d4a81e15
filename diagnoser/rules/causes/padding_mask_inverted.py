"""The cause `padding-mask-inverted`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    Cue,
    Fact,
    Finding,
    Rule,
    Source,
    fired,
    missing,
    silent,
)
from diagnoser.rules.call_edits import calls_at, keyword, replace_node
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import place_text
from diagnoser.schema import Edit, Location

NEARLY_ALL = 0.98
NEARLY_NONE = 0.02
MASKS = ("key_padding_mask", "src_key_padding_mask", "memory_key_padding_mask", "attn_mask")
_TURNED = {ast.NotEq: "==", ast.Eq: "!=", ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">"}


class PaddingMaskInverted(Rule):
    """The mask leaves the real positions out and keeps the padding.

    What it detects:
        In an attention (or a masked pooling that nothing bypasses) every real position of the
        sequences is left out and every filled one is kept.
    Why it breaks training:
        The model sees only the filling, which is the same for every sequence: it answers the most
        frequent label.
    Evidence:
        attention.padding: where the input's rows are filled up, share of real and of filled
        positions that each attention leaves out, and how far the output moves when every real
        position is replaced.
    Example:
        out, _ = attention(x, x, x, key_padding_mask=ids != PAD)
    Use instead:
        out, _ = attention(x, x, x, key_padding_mask=ids == PAD)
    Can be confused with:
        scaled_dot_product_attention, where True means "look here", and tokenizers' attention_mask,
        which is 1 for real tokens: what counts is what the attention really leaves out.
    Verify:
        Replace a real token: the output must move. Replace a padding token: it must not.
    Prevent:
        Name masks after what they mark (`is_padding`), and test that padding moves nothing.
    References:
        PyTorch documentation, torch.nn.MultiheadAttention ("True indicates that the corresponding
        key value will be ignored").
    """

    slug: ClassVar[str] = "padding-mask-inverted"
    title: ClassVar[str] = "Attention looks at the padding and ignores the tokens"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -5,
        "loss-plateaus": -7,
        "underfitting": -5,
        "overfitting": -9,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"padding.{0,20}mask|key_padding_mask|attention.?mask", 9),
        Cue(r"never sees? the (words|tokens|input)|ignores? the (words|tokens|input)", 5),
    )
    needs: ClassVar[tuple[str, ...]] = ("attention.padding",)
    fix_summary: ClassVar[str] = (
        "Invert the mask: for PyTorch's attention layers True marks padding"
    )
    prevention: ClassVar[str] = (
        "Name masks after what they mark, and test that a changed padding token moves nothing."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        records = examination.of("attention.padding")
        if not records:
            if not examination.of("model.samples"):
                return [missing("no model call was repeated")]
            return [silent("no mask over padded sequences was seen")]
        for record in records:
            for attention in record.data.get("attentions") or ():
                real = number(attention.get("masked_real"))
                filled = number(attention.get("masked_padding"))
                pooled = attention.get("function") not in (
                    "multi_head_attention_forward",
                    "scaled_dot_product_attention",
                    "softmax",
                )
                unmoved = number(record.data.get("real_change")) == 0
                if real >= NEARLY_ALL and filled <= NEARLY_NONE and (unmoved or not pooled):
                    return [self._read(record, real, filled, location(attention.get("at")))]
        first: Mapping[str, Any] = (records[0].data.get("attentions") or ({},))[0]
        text = (
            f"The mask leaves out {number(first.get('masked_padding')):.0%} of the padding and "
            f"{number(first.get('masked_real')):.0%} of the real positions"
        )
        place = location(first.get("at"))
        return [silent(text, facts=[Fact("attention.padding", text, place)])]

    @staticmethod
    def _read(record: Record, real: float, filled: float, place: Location | None) -> Finding:
        data = record.data
        note = (
            f"The mask at {place_text(place)} leaves out {real:.0%} of the real positions and "
            f"{filled:.0%} of the padding (value {number(data.get('value')):g}, "
            f"{number(data.get('share')):.0%} of the batch)"
        )
        if number(data.get("real_change")) == 0:
            note += "; replacing every real position moves no output"
        fact = Fact("attention.padding", note, place, record.step, dict(data))
        return fired(DECISIVE, fact, note, places=[place, record.at], direct=True)

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            place = finding.places[0] if finding.direct and finding.places else None
            if place is None:
                continue
            names = [
                call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
                for call in ast.walk(ast.parse(_line(source, place)))
                if isinstance(call, ast.Call) and isinstance(call.func, (ast.Attribute, ast.Name))
            ]
            for call in calls_at(source, place, names):
                for name in MASKS:
                    mask = keyword(call, name)
                    text = _turned(source, place, mask)
                    if mask is None or text is None:
                        continue
                    edit = replace_node(source, place.file, mask, text, self.slug)
                    if edit is not None:
                        return [edit]
        return []


def _line(source: Source, place: Location) -> str:
    line = source.line(place.file, place.line).strip()
    try:
        ast.parse(line)
    except (SyntaxError, ValueError):
        return ""
    return line


def _turned(source: Source, place: Location, mask: ast.expr | None) -> str | None:
    """The opposite of a mask's expression, or None where it is no plain one."""
    if isinstance(mask, ast.Compare) and len(mask.ops) == 1:
        sign = _TURNED.get(type(mask.ops[0]))
        right = mask.comparators[0]
        return None if sign is None else f"{ast.unparse(mask.left)} {sign} {ast.unparse(right)}"
    if isinstance(mask, ast.UnaryOp) and isinstance(mask.op, ast.Invert):
        return ast.unparse(mask.operand)
    if isinstance(mask, (ast.Name, ast.Attribute)):
        return f"~{ast.unparse(mask)}"
    return None
