"""Whatever a script writes, the user's files keep their bytes."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from diagnoser.runner.request import RunRequest
from diagnoser.runner.runner import Runner

Write = Callable[..., Path]
Ask = Callable[..., RunRequest]

HARMFUL = """
    import os, shutil, sys, tempfile
    mark = sys.argv[1]
    open("model.pt", "w").write("overwritten")
    os.truncate("log.txt", 0)
    os.rename("model.pt", "renamed.pt")
    shutil.rmtree("data")
    for folder in (os.path.expanduser("~"), tempfile.gettempdir()):
        open(os.path.join(folder, mark), "w").write("x")
    print(sorted(os.listdir(".")), os.path.exists(os.path.expanduser("~/" + mark)))
"""


@pytest.fixture
def copying(monkeypatch: pytest.MonkeyPatch) -> Runner:
    """A Runner on a machine that has no copy-on-write view."""
    runner = Runner(warm=False)
    monkeypatch.setattr(runner, "_no_overlay", "switched off for this test")
    return runner


def prepare(script: Path) -> dict[str, bytes]:
    folder = script.parent
    (folder / "model.pt").write_text("trained")
    (folder / "log.txt").write_text("line\n")
    (folder / "data").mkdir()
    (folder / "data" / "rows.csv").write_text("1,2\n")
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def assert_nothing_outside(mark: str) -> None:
    assert not (Path.home() / mark).exists()
    assert not Path("/tmp", mark).exists()


def test_the_view_holds_back_every_write(runner: Runner, write: Write, ask: Ask) -> None:
    script, mark = write(HARMFUL), f"mark-{uuid.uuid4().hex}"
    before = prepare(script)
    outcome = runner.run(ask(script, args=(mark,)))
    assert outcome.stdout == "['log.txt', 'renamed.pt', 'train.py'] True\n", outcome.stderr
    assert outcome.sandbox == "overlay"
    assert contents(script.parent) == before
    assert_nothing_outside(mark)


def test_the_copy_holds_back_writes_in_the_folder_home_and_temporary_folder(
    copying: Runner, write: Write, ask: Ask
) -> None:
    script, mark = write(HARMFUL), f"mark-{uuid.uuid4().hex}"
    before = prepare(script)
    with copying as runner:
        outcome = runner.run(ask(script, args=(mark,)))
    assert outcome.stdout == "['log.txt', 'renamed.pt', 'train.py'] True\n", outcome.stderr
    assert outcome.sandbox == "copy"
    assert contents(script.parent) == before
    assert_nothing_outside(mark)
    assert any("switched off" in failure for failure in outcome.failures)


def test_paths_of_the_copy_are_mapped_back(copying: Runner, write: Write, ask: Ask) -> None:
    script = write("print(__file__)\n1 / 0\n")
    with copying as runner:
        outcome = runner.run(ask(script))
    assert outcome.stdout == f"{script}\n"
    assert f'File "{script}", line 2' in outcome.stderr
    start = next(record for record in outcome.records if record["kind"] == "run.start")
    assert start["data"]["argv"] == [str(script)]
    assert start["data"]["cwd"] == str(script.parent)


@pytest.mark.parametrize("kind", ["view", "copy", "in place"])
def test_texts_are_laid_over_the_script_for_one_run_only(
    kind: str, write: Write, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = write("print('original')\n")
    with Runner(sandbox=kind != "in place", warm=False) as runner:
        if kind == "copy":
            monkeypatch.setattr(runner, "_no_overlay", "switched off for this test")
        patched = runner.run(
            ask(script, files={"train.py": "import new.part; print(__file__)\n", "new/part.py": ""})
        )
        again = runner.run(ask(script))
    assert patched.stdout == f"{script}\n", patched.stderr
    assert patched.sandbox == ("overlay" if kind == "view" else "copy")
    assert again.stdout == "original\n"
    assert contents(script.parent) == {"train.py": b"print('original')\n"}


def test_in_place_writes_are_real(write: Write, ask: Ask) -> None:
    script = write("open('out.txt', 'w').write('kept')")
    with Runner(sandbox=False, warm=False) as runner:
        assert runner.run(ask(script)).sandbox == "none"
    assert (script.parent / "out.txt").read_text() == "kept"


def test_the_runner_leaves_no_folder_behind(write: Write, ask: Ask) -> None:
    with Runner(warm=False) as runner:
        outcome = runner.run(ask(write("print(1)")))
        root = runner._root
    assert outcome.record_dir is None
    assert root is not None and not root.exists()


def test_records_are_kept_where_they_are_asked_for(write: Write, ask: Ask, tmp_path: Path) -> None:
    with Runner(warm=False, keep=tmp_path / "kept") as runner:
        outcome = runner.run(ask(write("print(1)")))
    assert outcome.record_dir is not None
    assert list(outcome.record_dir.glob("*.jsonl"))


@pytest.mark.parametrize("sandbox", [True, False])
def test_a_network_that_could_not_be_cut_off_is_reported(
    sandbox: bool, write: Write, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Runner(sandbox=sandbox, network=False, warm=False) as runner:
        monkeypatch.setattr(runner, "_no_overlay", "switched off for this test")
        outcome = runner.run(ask(write("print(1)")))
    assert outcome.stdout == "1\n"
    assert any("the network was not cut off" in failure for failure in outcome.failures)


def test_no_network_when_asked(write: Write, ask: Ask) -> None:
    script = write("""
        import socket
        names = [name for _, name in socket.if_nameindex()]
        server = socket.create_server(("127.0.0.1", 0))
        socket.create_connection(server.getsockname()).close()
        print(names)
    """)
    with Runner(network=False, warm=False) as runner:
        assert runner.run(ask(script)).stdout == "['lo']\n"
    assert os.path.exists("/sys/class/net")
