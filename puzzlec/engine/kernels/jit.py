"""numba's compiler as the kernels use it: it releases the interpreter's lock and caches on disk if possible."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar, cast

import numba
from numba.core import event

from puzzlec.engine.search import compiling

Function = TypeVar("Function", bound=Callable[..., Any])


def is_compiled(function: Callable[..., Any]) -> bool:
    """Return whether a jitted function has machine code, in this process or on disk.

    This asks numba's cache for the place of its index. If the place is unknown, the answer is yes.
    """
    if getattr(function, "signatures", None):
        return True
    index = getattr(getattr(getattr(function, "_cache", None), "_cache_file", None), "_index_path", None)
    return index is None or Path(index).exists()


class _Compiles(event.Listener):
    """Notes when numba compiles a function. Loading from disk is not such an event."""

    def on_start(self, event: object) -> None:  # noqa: ARG002
        compiling.began()

    def on_end(self, event: object) -> None:  # noqa: ARG002
        compiling.ended()


_register: Any = event.register
_register("numba:compile", _Compiles())

#: All jitted functions.
_FUNCTIONS: list[Any] = []


def has_compiled() -> bool:
    """Return whether this process has compiled a function whose machine code was not on disk."""
    return any(function.stats.cache_misses for function in _FUNCTIONS)


def jit(function: Function) -> Function:
    """Compile a function on its first call. Cache the machine code if a writable folder exists."""
    return _compiled(function, {})


def inner(function: Function) -> Function:
    """Compile a function that only jitted functions call: without the slow wrappers for calls from Python."""
    return _compiled(function, {"no_cpython_wrapper": True, "no_cfunc_wrapper": True})


def inlined(function: Function) -> Function:
    """Inline a function into its callers before optimisation: tuples of arrays then cost nothing."""
    return _compiled(function, {"inline": "always"})


def _compiled(function: Function, options: dict[str, Any]) -> Function:
    numba_jit: Any = numba.jit
    try:
        compiled = numba_jit(nopython=True, nogil=True, cache=True, **options)(function)
    except RuntimeError:  # numba found no folder that it may write to
        compiled = numba_jit(nopython=True, nogil=True, **options)(function)
    compiled._compile_for_args = _interruptible(compiled._compile_for_args)
    _FUNCTIONS.append(compiled)
    return cast(Function, compiled)


#: Signals whose handlers raise exceptions: Ctrl-C, the end of a process or terminal, a time limit.
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM") if hasattr(signal, name)]


def _interruptible(prepare: Callable[..., Any]) -> Callable[..., Any]:
    """Let a signal, such as Ctrl-C or a time limit, end the step that compiles a function or loads its machine code.

    LLVM calls Python functions during this step. ctypes prints an exception that is raised in one of them and drops it.
    Numba then fails with another error, or continues. Either way, the exception is raised again here.
    """

    def prepare_or_raise(*arguments: Any, **keywords: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return prepare(*arguments, **keywords)
        before = {number: handler for number in _SIGNALS if callable(handler := signal.getsignal(number))}
        raised: list[BaseException] = []

        def note(number: int, frame: FrameType | None) -> None:
            try:
                before[number](number, frame)
            except BaseException as exception:
                raised.append(exception)
                raise

        def report(unraisable: Any) -> None:
            if unraisable.exc_value not in raised:
                hook(unraisable)

        hook, sys.unraisablehook = sys.unraisablehook, report
        for number in before:
            signal.signal(number, note)
        try:
            return prepare(*arguments, **keywords)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            sys.unraisablehook = hook
            if raised:
                raise raised[0]

    return prepare_or_raise
