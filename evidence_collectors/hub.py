"""Hands events to collectors; one that raises is removed and recorded, the script goes on.

An event is a method name. A collector takes part in an event by defining the method:

    torch_ready(torch)                      torch has been imported
    optimizer_created(optimizer, frame)     after Optimizer.__init__
    zeroed(owner, frame)                    before zero_grad of an optimizer or a module
    step_pre(optimizer), step_post(optimizer)
    heartbeat()                             about every two seconds, between updates
    backward_enter(tensors, frame), backward_exit(tensors, frame)
    loss_nonfinite(tensors, frame)          after a backward call whose loss is NaN or inf
    forward_enter(module, inputs, frame), forward_exit(module, inputs, output, frame)
                                            calls of modules that no other module's call encloses
    clipped(kind, parameters, limit, frame) before clip_grad_norm_ or clip_grad_value_
    scaler_called(name, scaler, subject, frame), scaler_done(name, scaler, subject, result)
                                            scale, unscale_, step, update of an enabled GradScaler
    mode_set(module, training, frame)       Module.train / Module.eval
    state_loading(module, state)            before load_state_dict
    state_loaded(module)                    after load_state_dict
    module_created(module, frame)           after Module.__init__
    parameter_registered(module, name, parameter, frame)
    values_written(function, tensor, frame) an initialiser or in-place write before any update
    grad_switched(owner, flag, frame)       requires_grad_ of a module or a tensor
    loss_called(call)                       a functional loss with its inputs (functional.LossCall)
    loss_made(name, output, frame)          the value that this loss returned
    likelihood_made(value, result)          log_prob of a distribution
    activation_called(name, output, frame)  softmax, log_softmax, sigmoid
    cut_called(name, tensor, frame)         detach, numpy, item … on a tensor with a graph
    tensor_created(name, args, output, frame)   torch.tensor, from_numpy, conversions of dtype
    noise_called(name, active)              functional dropout and batch-norm
    numpy_ready(numpy)                      numpy has been imported
    rows_taken(source, index, output, frame)    indexing by more than one number or slice
    values_gathered(source, axis, index, output, frame)     gather along an axis
    reshaped(source, output, frame)         view and reshape of tensors with two axes or more
    compared(left, right, result, frame)    == of two tensors in the user's own code
    chosen(source, axis, result, frame)     argmax in the user's own code
    schedule_stepped(schedule, frame)       a learning-rate schedule's step, by the script itself
    seeded(stream, seed, frame)             a random stream is seeded, or a seeded generator made
    loader_created(loader, frame)           after DataLoader.__init__
    loader_wait(loader, seconds, batch)     one __next__ of a DataLoader iterator
    exception_raised(error)                 the exception that ends the script
    finished(reason)                        the script has ended; last records may be written
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe
    from evidence_collectors.recorder import Recorder

ALWAYS = frozenset(
    {"torch_ready", "numpy_ready", "optimizer_created", "module_created", "mode_set"}
    | {"state_loaded", "loader_created", "exception_raised", "finished", "forward_enter"}
    | {"parameter_registered", "grad_switched", "state_loading"}
    | {"forward_exit", "heartbeat", "loss_nonfinite"}
)
"""Rare events, and calls of models that the hook itself sends only if they are new or without
gradient while nothing is looked at closely."""


class Hub:
    """Dispatches events to the collectors that define a method of that name.

    Between the steps that are looked at (`probe.quiet`) only those handlers are called that a
    collector names in its `always`.
    """

    def __init__(self, recorder: Recorder, probe: Probe) -> None:
        self._recorder = recorder
        self._probe = probe
        probe.emit = self.emit
        self._collectors: list[Any] = []
        self._unthrottled: list[Any] = []
        self._tables: tuple[dict[str, list[Any]], dict[str, list[Any]]] = ({}, {})
        self._busy = False
        self._in_transform: Optional[Callable[[], Any]] = None
        self.unseen = 0
        """Events inside a function transform, whose tensors hold no values that could be read."""

    def watch_transforms(self, torch: Any) -> None:
        """Drop events inside torch.func transforms (vmap, grad) from now on."""
        functorch = getattr(getattr(torch, "_C", None), "_functorch", None)
        self._in_transform = getattr(functorch, "peek_interpreter_stack", None)

    def add(self, collector: Any, *, every_step: bool = False) -> None:
        """Let a collector, or an intervention, which needs every step, take part in its events."""
        self._collectors.append(collector)
        if every_step:
            self._unthrottled.append(collector)
        if every_step or getattr(collector, "heavy", False):
            self._probe.demanding = True
        self._forget()

    def emit(self, event: str, *args: Any) -> None:
        """Call every handler of an event, guarded; events raised by our own reading are ignored."""
        handlers = self._tables[self._probe.quiet].get(event)
        if handlers is None:
            handlers = self._find(event, self._probe.quiet)
            self._tables[self._probe.quiet][event] = handlers
        if not handlers or self._busy:
            return
        if self._in_transform is not None and self._in_transform() is not None:
            self.unseen += 1
            return
        self._busy = True
        try:
            for collector, handler in handlers:
                try:
                    handler(*args)
                except Exception as error:
                    self._remove(collector, event, error)
        finally:
            self._busy = False

    def _find(self, event: str, quiet: bool) -> list[tuple[Any, Callable[..., None]]]:
        return [
            (collector, getattr(collector, event))
            for collector in self._collectors
            if hasattr(collector, event)
            and (
                not quiet
                or event in ALWAYS
                or event in getattr(collector, "always", ())
                or collector in self._unthrottled
            )
        ]

    def _forget(self) -> None:
        self._tables = ({}, {})

    def _remove(self, collector: Any, event: str, error: Exception) -> None:
        self._collectors = [kept for kept in self._collectors if kept is not collector]
        self._forget()
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        self._recorder.write(
            "collector.failed",
            {
                "collector": getattr(collector, "name", type(collector).__name__),
                "event": event,
                "error": f"{type(error).__name__}: {error}",
                "where": f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "",
            },
            essential=True,
        )
