"""The copy-on-write view, entered by a real child process, as root and as an ordinary user."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from evidence_collectors import sandbox

PACKAGE = Path(sandbox.__file__).parent

CHILD = """
import importlib.util, json, os, sys
spec = importlib.util.spec_from_file_location("sandbox", sys.argv[1])
sandbox = importlib.util.module_from_spec(spec)
sys.modules["sandbox"] = sandbox
spec.loader.exec_module(sandbox)
base, network = sys.argv[2], sys.argv[3] == "network"
os.environ["HOME"] = base + "/home"
os.chdir(base + "/team/project")
project = base + "/team/project"
name = sandbox.enter("overlay", base + "/scratch", base + "/record", project, network)
"""


@pytest.fixture
def base() -> Iterator[Path]:
    """Folders of a run in a place that every user may enter."""
    with tempfile.TemporaryDirectory(prefix="view-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for part in ("home", "scratch", "record", "team/project/data"):
            (folder / part).mkdir(parents=True)
        (folder / "team/project/model.pt").write_text("trained")
        (folder / "team/project/data/rows.csv").write_text("1,2\n")
        yield folder


def enter(
    base: Path, body: str, network: bool = True, user: int | None = None
) -> dict[str, object]:
    """Run `body` inside the view; it prints one JSON object."""
    program = base / "sandbox.py"
    program.write_bytes((PACKAGE / "sandbox.py").read_bytes())
    source = CHILD + textwrap.dedent(body)
    python = sys.executable if user is None else "/usr/bin/python3"
    done = subprocess.run(
        [python, "-c", source, str(program), str(base), "network" if network else "none"],
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


WRITES = """
    open("model.pt", "w").write("new")
    os.rename("model.pt", "renamed.pt")
    os.unlink("data/rows.csv")
    os.rmdir("data")
    open(base + "/record/seen", "w").write("real")
    open(os.environ["HOME"] + "/file", "w").write("x")
    open("/tmp/file-" + os.path.basename(base), "w").write("x")
    print(json.dumps({"name": name, "files": sorted(os.listdir(".")), "cwd": os.getcwd()}))
"""


def assert_kept(base: Path) -> None:
    project = base / "team/project"
    assert sorted(path.name for path in project.iterdir()) == ["data", "model.pt"]
    assert (project / "model.pt").read_text() == "trained"
    assert (project / "data/rows.csv").read_text() == "1,2\n"
    assert list((base / "home").iterdir()) == []
    assert list((base / "scratch").iterdir()) == []
    assert not Path("/tmp", f"file-{base.name}").exists()
    assert (base / "record/seen").read_text() == "real"


def test_writes_stay_in_the_view_and_records_are_real(base: Path) -> None:
    found = enter(base, WRITES)
    project = str(base / "team/project")
    assert found == {"name": "overlay", "files": ["renamed.pt"], "cwd": project}
    assert_kept(base)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become another user")
def test_an_ordinary_user_has_the_same_view_below_a_folder_of_another_user(base: Path) -> None:
    for path in [base / "home", base / "scratch", base / "record"]:
        os.chown(path, 12345, 12345)
    for path in [base / "team/project", *(base / "team/project").rglob("*")]:
        os.chown(path, 12345, 12345)
    assert enter(base, WRITES, user=12345)["files"] == ["renamed.pt"]
    assert_kept(base)


def test_what_cannot_be_covered_is_read_only(base: Path) -> None:
    found = enter(
        base,
        """
        try:
            open("/diagnoser-test", "w")
            error = None
        except OSError as caught:
            error = caught.errno
        print(json.dumps({"error": error}))
        """,
    )
    assert found["error"] in (13, 30)
    assert not Path("/diagnoser-test").exists()


def test_without_network_only_loopback_is_left(base: Path) -> None:
    found = enter(
        base,
        """
        import socket
        server = socket.create_server(("127.0.0.1", 0))
        socket.create_connection(server.getsockname()).close()
        print(json.dumps({"links": [name for _, name in socket.if_nameindex()]}))
        """,
        network=False,
    )
    assert found["links"] == ["lo"]


def test_no_view_is_entered_when_none_is_asked_for(base: Path) -> None:
    assert sandbox.enter("none", "", "", "") == "none"


def test_a_failure_is_raised_and_touches_nothing(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(flags: int) -> None:
        raise sandbox.SandboxUnavailable(1, "unshare: Operation not permitted")

    monkeypatch.setattr(sandbox, "_unshare", refuse)
    with pytest.raises(sandbox.SandboxUnavailable, match="not permitted"):
        sandbox.enter("overlay", str(base / "scratch"), str(base / "record"), str(base))
    assert list((base / "scratch").iterdir()) == []


def test_a_limit_on_namespaces_is_not_called_a_full_disk(base: Path) -> None:
    limits = "for kind in user mnt; do echo 0 > /proc/sys/user/max_${kind}_namespaces; done"
    source = textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(PACKAGE.parent)!r})
        from evidence_collectors import sandbox
        try:
            sandbox.enter("overlay", {str(base / "scratch")!r}, {str(base / "record")!r}, "/")
        except sandbox.SandboxUnavailable as error:
            print(error.strerror)
    """)
    inside = ["unshare", "--user", "--map-root-user", "sh", "-c", f'{limits} && exec "$@"', "sh"]
    done = subprocess.run(
        [*inside, sys.executable, "-c", source], capture_output=True, text=True, cwd=base
    )
    if "unshare failed" in done.stderr:
        pytest.skip("needs a user namespace")
    assert done.stdout == "unshare: no more namespaces are allowed here\n", done.stderr
    assert list((base / "scratch").iterdir()) == []
