"""Starts and ends the probes in one process.

The host writes a configuration file and names it in the environment variable DIAGNOSER_SEAM;
`start` is called by our sitecustomize (any command) or by the warm server's child (plain scripts).
"""

from __future__ import annotations

import atexit
import importlib
import os
import pkgutil
import sys
import threading
from types import ModuleType, TracebackType
from typing import Any, Callable, ClassVar, Optional

from evidence_collectors.hub import Hub
from evidence_collectors.import_hook import when_imported
from evidence_collectors.patching import Patches
from evidence_collectors.probe import Probe, SeamConfig, read_config
from evidence_collectors.recorder import Recorder
from evidence_collectors.stopping import Stopper, StopRun

VARIABLE = "DIAGNOSER_SEAM"


class Seam:
    """Everything that is installed in one process."""

    active: ClassVar[Optional[Seam]] = None

    def __init__(self, config: SeamConfig) -> None:
        self.config = config
        self.recorder = Recorder(config.record_dir)
        self.probe = Probe(config, self.recorder)
        self.hub = Hub(self.recorder, self.probe)
        self.patches = Patches()
        self.stopper = Stopper(self.probe)
        self._ended = False
        self.exit_code: Optional[int] = None

    def install(self) -> None:
        """Add the collectors and interventions and wait for torch and numpy."""
        self.recorder.write(
            "run.start",
            {
                "pid": os.getpid(),
                "argv": list(sys.argv),
                "executable": sys.executable,
                "cwd": os.getcwd(),
                "python": sys.version.split()[0],
            },
            essential=True,
        )
        for collector in discover("collectors", "COLLECTOR"):
            if self._is_wanted(collector):
                self.hub.add(collector(self.probe))
        self._hook_exceptions()
        when_imported({"torch": self._torch_ready, "numpy": self._numpy_ready})

    def _is_wanted(self, collector: Any) -> bool:
        """Heavy collectors run only where they are named."""
        if self.config.collectors is None:
            return not getattr(collector, "heavy", False)
        return collector.name in self.config.collectors

    def _torch_ready(self, torch: ModuleType) -> None:
        self.probe.torch = torch
        self.hub.watch_transforms(torch)
        self.recorder.write("run.torch", {"version": str(getattr(torch, "__version__", ""))})
        for install in discover("hooks", "install"):
            self._guarded("hooks", install, self, torch)
        for wanted in self.config.interventions:
            make = {entry.name: entry for entry in discover("interventions", "INTERVENTION")}
            intervention = make[wanted["name"]](self.probe, dict(wanted.get("params", {})))
            self._guarded(wanted["name"], intervention.install, torch, self.patches)
            self.hub.add(intervention, every_step=True)
        self.hub.emit("torch_ready", torch)

    def _numpy_ready(self, numpy: ModuleType) -> None:
        self.probe.numpy = numpy
        if self.config.seed is not None:
            numpy.random.seed(self.config.seed % 2**32)
        self.hub.emit("numpy_ready", numpy)

    def _guarded(self, name: str, action: Callable[..., Any], *args: Any) -> None:
        try:
            action(*args)
        except Exception as error:
            self.recorder.write(
                "collector.failed",
                {
                    "collector": name,
                    "event": "install",
                    "error": f"{type(error).__name__}: {error}",
                },
                essential=True,
            )

    def _hook_exceptions(self) -> None:
        previous = sys.excepthook

        def excepthook(
            kind: type[BaseException], error: BaseException, trace: Optional[TracebackType]
        ) -> None:
            if isinstance(error, StopRun):
                return
            self.hub.emit("exception_raised", error)
            error.__traceback__ = _without_our_frames(trace)
            previous(kind, error, error.__traceback__)

        def thread_excepthook(details: Any) -> None:
            if details.exc_type is not None and issubclass(details.exc_type, StopRun):
                return
            if details.exc_value is not None:
                self.hub.emit("exception_raised", details.exc_value)
            threads_previous(details)

        threads_previous = threading.excepthook
        self.patches.replace(sys, "excepthook", lambda _: excepthook)
        self.patches.replace(threading, "excepthook", lambda _: thread_excepthook)

    def finish(self, code: Optional[int]) -> None:
        """Write the last records and close the file."""
        if self._ended or os.getpid() != self.recorder.pid:
            return
        self._ended = True
        self.hub.emit("finished", "end")
        self.probe.record(
            "run.end",
            {
                "code": self.exit_code if code is None else code,
                "updates": self.probe.step,
                "backwards": self.probe.backwards,
                "dropped": self.recorder.dropped,
                "inside_transforms": self.hub.unseen,
            },
            essential=True,
        )
        self.patches.undo_all()
        self.recorder.close()


def _without_our_frames(trace: Optional[TracebackType]) -> Optional[TracebackType]:
    """A traceback whose frames of this package are left out, as the user would have seen it."""
    kept = []
    here = os.path.dirname(os.path.abspath(__file__))
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(here):
            kept.append(trace)
        trace = trace.tb_next
    result: Optional[TracebackType] = None
    for entry in reversed(kept):
        result = TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result


def discover(package: str, attribute: str) -> list[Any]:
    """Import every module of a subpackage and return the named attribute of each; fails loudly."""
    parent = importlib.import_module(f"evidence_collectors.{package}")
    found = []
    for entry in sorted(pkgutil.iter_modules(parent.__path__), key=lambda item: item.name):
        if not entry.name.startswith("_"):
            module = importlib.import_module(f"evidence_collectors.{package}.{entry.name}")
            found.append(getattr(module, attribute))
    return found


def start() -> None:
    """Install the probes in this process; does nothing without configuration or a second time."""
    path = os.environ.get(VARIABLE)
    if not path:
        return
    if Seam.active is not None and Seam.active.recorder.pid == os.getpid():
        return
    seam = Seam(read_config(path))
    Seam.active = seam
    atexit.register(seam.finish, None)
    seam.install()


def note_exit(code: int) -> None:
    """Remember the exit code for the last record, which an exit function writes."""
    if Seam.active is not None:
        Seam.active.exit_code = code


def finish(code: Optional[int]) -> None:
    """Write the last records of this process (the warm child calls it before os._exit)."""
    if Seam.active is not None:
        Seam.active.finish(code)
