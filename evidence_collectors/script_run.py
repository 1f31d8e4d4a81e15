"""Run a script in a forked child as a fresh interpreter would have run it."""

from __future__ import annotations

import atexit
import io
import os
import random
import signal
import sys
import threading
from importlib.machinery import SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from evidence_collectors import confine, preloaded, sandbox

UNAVAILABLE = confine.UNAVAILABLE
PRELOADED: list[str] = []
"""Top-level packages that the warm server imported; it fills the list before the first fork."""


def run(request: dict[str, Any]) -> None:
    """Become the script that the request names, and end the process with its exit code."""
    confine.die_with_parent()
    os.setsid()
    _redirect(request)
    try:
        confine.confine(confine.Confinement.read(request))
    except sandbox.SandboxUnavailable:
        os._exit(UNAVAILABLE)
    _look_fresh(request)
    code = _execute(request["script"])
    os._exit(_end(code))


def _redirect(request: dict[str, Any]) -> None:
    """Point the three standard descriptors at the files of this run."""
    wanted = (
        (request["stdin"] or os.devnull, os.O_RDONLY, 0),
        (request["stdout"], os.O_WRONLY | os.O_APPEND, 1),
        (request["stderr"], os.O_WRONLY | os.O_APPEND, 2),
    )
    for path, flags, number in wanted:
        opened = os.open(path, flags)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, encoding=sys.stdin.encoding, closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(write_through=True)


def _look_fresh(request: dict[str, Any]) -> None:
    """Set what a new interpreter would have set from its command line and environment."""
    script = request["script"]
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv[:] = [script, *request["args"]]
    sys.orig_argv = [sys.executable, script, *request["args"]]
    sys.path.insert(0, os.path.dirname(os.path.realpath(script)))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    random.seed()
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed()
    torch = sys.modules.get("torch")
    if torch is not None:
        # As at import: the CPU stream starts from the system's entropy, device streams untouched.
        torch.default_generator.seed()
        if str(request.get("threads")) == os.environ.get("OMP_NUM_THREADS"):
            torch.set_num_threads(request["threads"])
    process = sys.modules.get("multiprocessing.process")
    if process is not None:
        vars(process)["ORIGINAL_DIR"] = os.getcwd()
    tempfile = sys.modules.get("tempfile")
    if tempfile is not None:
        vars(tempfile)["tempdir"] = None


def _new_main(script: str) -> ModuleType:
    module = ModuleType("__main__")
    vars(module).update(
        __file__=script,
        __loader__=SourceFileLoader("__main__", script),
        __builtins__=sys.modules["builtins"],
        __cached__=None,
    )
    if sys.version_info < (3, 14):
        vars(module)["__annotations__"] = {}
    sys.modules["__main__"] = module
    return module


def _execute(script: str) -> int:
    """Compile and run the script; the exit code is the one an interpreter would give."""
    module = _new_main(script)
    preloaded.hide(PRELOADED)
    if os.environ.get("DIAGNOSER_SEAM"):
        from evidence_collectors import seam

        seam.start()
    try:
        exec(_compiled(script), vars(module))
    except SystemExit as stop:
        return _exit_code(stop)
    except BaseException as error:
        _report(error)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _compiled(script: str) -> CodeType:
    with open(script, "rb") as source:
        return compile(source.read(), script, "exec", dont_inherit=True)


def _exit_code(stop: SystemExit) -> int:
    """What `sys.exit(value)` means: None is 0, a number itself, anything else is printed and 1."""
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        return stop.code & 0xFF
    sys.stdout.flush()
    sys.stderr.write(f"{stop.code}\n")
    return 1


def _report(error: BaseException) -> None:
    """Hand the exception to `sys.excepthook` without the frames that lie below the script."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    error.__traceback__ = trace
    kind = type(error)
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, trace
    try:
        sys.excepthook(kind, error, trace)
    except BaseException as broken:
        sys.stderr.write("Error in sys.excepthook:\n")
        sys.__excepthook__(type(broken), broken, broken.__traceback__)
        sys.stderr.write("\nOriginal exception was:\n")
        sys.__excepthook__(kind, error, trace)


def _end(code: int) -> int:
    """Wait for the script's threads, run its exit functions, write everything out."""
    if os.environ.get("DIAGNOSER_SEAM"):
        from evidence_collectors import seam

        seam.note_exit(code)
    for step in (threading._shutdown, atexit._run_exitfuncs):  # type: ignore[attr-defined]
        try:
            step()
        except BaseException as error:
            sys.__excepthook__(type(error), error, error.__traceback__)
    if os.environ.get("DIAGNOSER_SEAM"):
        from evidence_collectors import seam

        seam.finish(code)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 120
    return code
