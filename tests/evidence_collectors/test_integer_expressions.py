"""Which expressions are computed again, and that nothing of the user's is called."""

from __future__ import annotations

import ast
from types import CodeType

import numpy as np
import pytest

from evidence_collectors.integer_expressions import (
    Expression,
    Unknown,
    expressions_in,
    value_of,
)


def found_in(text: str, function: str = "") -> list[Expression]:
    module = compile(text, "user.py", "exec")
    code: CodeType = module
    for constant in module.co_consts:
        if isinstance(constant, CodeType) and constant.co_name == function:
            code = constant
    return expressions_in(ast.parse(text), code, text)


@pytest.mark.parametrize(
    "line",
    [
        "d = a - b",
        "d = a[1] - a[0]",
        "d = -a",
        "d = np.diff(a, axis=1)",
        "d = a.dot(b)",
        "d = a**2",
    ],
)
def test_plain_arithmetic_is_found(line: str) -> None:
    assert len(found_in(f"{line}\n")) == 1


@pytest.mark.parametrize(
    "line",
    ["d = f(a) - b", "d = (a * 1103515245) & 255", "d = (a + b) % 256", "d = 3 - 4", "d = a.b - b"],
)
def test_calls_and_modular_arithmetic_are_left_alone(line: str) -> None:
    assert found_in(f"{line}\n") == []


def test_a_name_that_gets_a_new_value_is_noted() -> None:
    (found,) = found_in("def f(x, y):\n    z = x - y\n    x = z\n    return x\n", "f")
    assert found.rebound == (3,)


def test_values_are_read_without_asking_properties() -> None:
    class Clip:
        @property
        def frames(self) -> object:
            raise AssertionError("a property was asked")

    node = ast.parse("self.frames[0]", mode="eval").body
    with pytest.raises(Unknown):
        value_of(node, {"self": Clip()}, {})


def test_subscripts_are_those_of_the_array() -> None:
    table = np.arange(12).reshape(3, 4)
    node = ast.parse("table[1:, -1]", mode="eval").body
    assert value_of(node, {"table": table}, {}).tolist() == [7, 11]
