"""What a command may load, and what the probes may import inside somebody else's process."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import evidence_collectors
from tests.conftest import REPOSITORY

HEAVY = ("torch", "numpy", "openai", "libcst", "jinja2", "mcp", "nbformat", "prompt_toolkit")
OWN = "evidence_collectors"
PACKAGE = Path(evidence_collectors.__file__).parent
PROBES = sorted(PACKAGE.rglob("*.py"))
WATCHED = frozenset({"torch", "numpy"})
"""Named inside functions only, where the user's script has imported them already."""

every_probe_file = pytest.mark.parametrize(
    "path", PROBES, ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
LIST_MODULES = """
import json, sys
from diagnoser.cli.main import run
code = run(sys.argv[1:])
sys.stdout.write("\\n" + json.dumps([code, sorted(sys.modules)]))
"""


@pytest.mark.parametrize(
    "words",
    [["--help"], ["ask", "loss is nan"], ["ask", "--help"], ["rules"], ["--version"]],
    ids=" ".join,
)
def test_an_answer_without_a_run_loads_nothing_heavy(words: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIST_MODULES, *words],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(REPOSITORY)},
    )
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stderr
    assert "diagnoser.cli.main" in modules
    assert [name for name in HEAVY if name in modules] == []


def imported(tree: ast.Module, *, everywhere: bool) -> set[str]:
    """Top-level names of the modules that are imported at import, or anywhere."""
    found = set()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found.add((node.module or "").partition(".")[0])
        is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        if everywhere or not is_function:
            pending.extend(ast.iter_child_nodes(node))
    return found


@every_probe_file
def test_the_probes_import_the_standard_library_only(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own_or_standard = {OWN, *sys.stdlib_module_names}
    assert imported(tree, everywhere=False) <= own_or_standard
    assert imported(tree, everywhere=True) <= own_or_standard | WATCHED


@every_probe_file
def test_the_probes_compile_on_python_3_9(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
    assert any(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body
    ), "annotations such as `int | None` are evaluated on 3.9 without it"


def test_importing_every_probe_imports_neither_torch_nor_numpy() -> None:
    names = [
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for path in PROBES
        if path.name != "__init__.py" and not path.parent.name.startswith("_")
    ]
    runnable = {f"{OWN}.launcher", f"{OWN}.warm_server"}
    source = f"import sys\nfor name in {sorted(set(names) - runnable)}:\n    __import__(name)\n"
    source += "print([n for n in ('torch', 'numpy', 'diagnoser') if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, cwd=REPOSITORY
    )
    assert done.stdout == "[]\n", done.stderr
