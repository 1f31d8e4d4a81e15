"""A torch function mode at the bottom of the stack, so that the user's own modes stay in order.

Pushed on top from a hook inside the user's `with torch.device(...)`, it would be popped by their
exit and theirs would stay for ever.
"""

from __future__ import annotations

from typing import Any, Callable, Optional


class OperatorMode:
    """Calls `wrap(function, args, kwargs)` in place of every torch function, until removed."""

    def __init__(self, torch: Any, wrap: Callable[[Any, Any, dict[str, Any]], Any]) -> None:
        self._overrides = torch.overrides
        self._retired = False

        def retired() -> bool:
            return self._retired

        class Watch(self._overrides.TorchFunctionMode):  # type: ignore[misc,name-defined]
            def __torch_function__(
                self, func: Any, types: Any, args: Any = (), kwargs: Optional[dict[str, Any]] = None
            ) -> Any:
                if retired():
                    return func(*args, **(kwargs or {}))
                return wrap(func, args, kwargs or {})

        self._mode = Watch()
        self._rebuild([self._mode, *self._stack()])

    def remove(self) -> bool:
        """Take the mode out, wherever in the stack it now lies; False if it will come back.

        Inside a torch function torch itself has taken the mode off and will put it back, and
        backward is one. The mode then does nothing more; call again outside.
        """
        self._retired = True
        stack = self._stack()
        if self._mode not in stack:
            return False
        self._rebuild([kept for kept in stack if kept is not self._mode])
        return True

    def _stack(self) -> list[Any]:
        return list(self._overrides._get_current_function_mode_stack())

    def _rebuild(self, stack: list[Any]) -> None:
        for _ in self._stack():
            self._overrides._pop_mode()
        for mode in stack:
            self._overrides._push_mode(mode)
