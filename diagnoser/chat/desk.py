"""Where a conversation's runs happen: one warm runner, kept from one question to the next."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from diagnoser.chat.interrupts import stoppable
from diagnoser.chat.model import Model, Said
from diagnoser.errors import DiagnoserError, InputError

if TYPE_CHECKING:
    from diagnoser.chat.session import Session
    from diagnoser.fixes.proposal import Proposal
    from diagnoser.pipeline.options import Options, Progress
    from diagnoser.report.work import Work
    from diagnoser.rules.engine import Judged
    from diagnoser.runner.request import RunRequest
    from diagnoser.runner.runner import Runner
    from diagnoser.schema import Question

ProgressLine = Callable[[], "AbstractContextManager[Progress]"]
"""Opens the line on which progress is shown."""
Agree = Callable[[str], bool]
"""Shows what would be sent to a language model, and returns whether the user agrees."""
Asker = Callable[[Any], Agree | None]
"""How to ask beside such a line; None where there is nobody to ask."""


class Desk:
    """Runs what a conversation asks for; a context manager that leaves nothing behind.

    An interrupt ends the run at once and the warm server with it, so that nothing is left of it.
    """

    def __init__(
        self,
        options: Options,
        progress: ProgressLine,
        model: Model,
        *,
        asker: Asker | None = None,
        color: bool = False,
        backups: Path | None = None,
    ) -> None:
        self.options = options
        self.model = model
        self.color = color
        self.backups = backups
        self._progress = progress
        self._asker = asker
        self._runner: Runner | None = None
        self._lock = threading.Lock()
        self._warming: threading.Thread | None = None

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._warming is not None:
            self._warming.join()
        self.close()

    def close(self) -> None:
        """End the warm server and whatever runs."""
        with self._lock:
            runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()

    def warm_up(self) -> None:
        """Start importing torch in the background, so that the first run need not wait for it."""
        self._warm_runner().prepare()

    def warm_up_later(self) -> None:
        """The same without waiting for what it takes to start it."""
        self._warming = threading.Thread(target=self._warm_up_quietly, daemon=True)
        self._warming.start()

    def _warm_up_quietly(self) -> None:
        with contextlib.suppress(OSError, DiagnoserError):
            self.warm_up()

    def examine(self, question: Question, session: Session) -> Work:
        """All that an answer rests on; raises InputError for a target that cannot be used."""
        from diagnoser.intake.target import find_target
        from diagnoser.pipeline import examine

        kind = find_target(question, self.options.cwd).kind
        with self._working() as progress:
            runner = self._warm_runner() if kind in ("script", "command") else None
            settings = self.model.settings(session)
            stages = self.options.stages if settings is None else (*self.options.stages, "llm")
            agree = self._agree(progress)
            options = replace(self.options, settings=settings, stages=stages, agree=agree)
            return examine(question, options, progress=progress, runner=runner)

    def experiment(self, work: Work, entry: Judged) -> Work:
        """Try one cause's intervention on the script and judge again; raises InputError."""
        from diagnoser.experiments.trials import Arms, try_all
        from diagnoser.pipeline.stages import MIN_ARM_SECONDS
        from diagnoser.rules.engine import judge
        from diagnoser.rules.registry import all_rules

        began, budget = time.monotonic(), self.options.budget
        arm_seconds = max(MIN_ARM_SECONDS, 1.5 * work.seconds.get("probe", 0.0) + 1.0)
        with self._working() as progress:
            arms = Arms(
                self._warm_runner(),
                self._request(work),
                work.examination,
                lambda: began + budget - time.monotonic(),
                arm_seconds,
                progress,
            )
            outcomes, runs = try_all([entry], arms, thorough=True)
        newer = {outcome.intervention for outcome in outcomes}
        kept = [arm for arm in work.examination.arms if arm.intervention not in newer]
        examination = replace(work.examination, arms=(*kept, *outcomes))
        seconds = {**work.seconds, "experiments": time.monotonic() - began}
        return replace(
            work,
            examination=examination,
            verdict=judge(examination, all_rules()),
            runs=[*work.runs, *runs],
            seconds=seconds,
        )

    def verify(self, work: Work, proposal: Proposal) -> Work:
        """Run the script with a proposed change laid over it; raises InputError."""
        from diagnoser.pipeline import stages
        from diagnoser.pipeline.options import Bench

        began = time.monotonic()
        tried = replace(
            work,
            runs=list(work.runs),
            seconds=dict(work.seconds),
            fix=proposal.fix,
            fixed=proposal.entry.rule.slug,
        )
        request, options = self._request(work), self.options
        with self._working() as progress:
            deadline = began + options.budget
            bench = Bench(tried, options, self._warm_runner(), request, progress, deadline)
            stages.verify(bench, proposal)
        tried.seconds["verify"] = time.monotonic() - began
        return tried

    def talk(self, session: Session, said: str) -> Said:
        """What the language model says to these words, where there is one."""
        if self.model.settings(session) is None or session.last is None:
            return Said()
        with self._working() as progress:
            progress("language model")
            return self.model.answer(session, said, self._agree(progress))

    def changed_files(self, work: Work) -> tuple[str, ...]:
        """The user's files that are not what they were when they were read."""
        from diagnoser.intake.sources import read_source

        return tuple(
            path
            for path, text in work.examination.sources.items()
            if read_source(Path(path)) != text
        )

    def read(self, path: str) -> str | None:
        """A Python file's text as it stands now."""
        from diagnoser.intake.sources import read_source

        return read_source(Path(path))

    def _request(self, work: Work) -> RunRequest:
        from diagnoser.intake.target import find_target
        from diagnoser.pipeline.reading import request_of

        changed = self.changed_files(work)
        if changed:
            raise InputError(
                f"{changed[0]} has changed since the run", "/run looks at it as it is now."
            )
        target = find_target(work.question, self.options.cwd)
        if target.kind not in ("script", "command"):
            raise InputError("there is no script to run", "/target FILE names one.")
        return request_of(work.question, target, self.options)

    def _agree(self, progress: Progress) -> Agree | None:
        return self._asker(progress) if self._asker is not None else None

    def _warm_runner(self) -> Runner:
        with self._lock:
            if self._runner is None:
                self._runner = self.options.new_runner().__enter__()
            return self._runner

    @contextlib.contextmanager
    def _working(self) -> Iterator[Progress]:
        """Progress lines, and an end without a trace at an interrupt."""
        try:
            with stoppable(), self._progress() as progress:
                yield progress
        except KeyboardInterrupt:
            self.close()
            raise
