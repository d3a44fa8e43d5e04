"""numba's compiler as the kernels use it: nogil, cached on disk where that is possible."""

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
    """Whether machine code for a jitted function is at hand, in this process or on disk.

    Asks numba's cache where its index lies; where that cannot be known, the answer is yes.
    """
    if getattr(function, "signatures", None):
        return True
    index = getattr(getattr(getattr(function, "_cache", None), "_cache_file", None), "_index_path", None)
    return index is None or Path(index).exists()


class _Compiles(event.Listener):
    """Notes when numba compiles a function; what it loads from disk is no such event."""

    def on_start(self, event: object) -> None:  # noqa: ARG002
        compiling.began()

    def on_end(self, event: object) -> None:  # noqa: ARG002
        compiling.ended()


_register: Any = event.register
_register("numba:compile", _Compiles())

#: All functions that are compiled when they are first called.
_FUNCTIONS: list[Any] = []


def has_compiled() -> bool:
    """Whether this process has compiled a function: its machine code was not on disk."""
    return any(function.stats.cache_misses for function in _FUNCTIONS)


def jit(function: Function) -> Function:
    """Compile a function when it is first called; keep the machine code where a place for it is writable."""
    return _compiled(function, {})


def inner(function: Function) -> Function:
    """Compile a function that only jitted ones call: it needs no face towards Python, which takes long to make."""
    return _compiled(function, {"no_cpython_wrapper": True, "no_cfunc_wrapper": True})


def inlined(function: Function) -> Function:
    """Compile a function into those that call it, before they are optimised: tuples of arrays cost nothing then."""
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


def _interruptible(prepare: Callable[..., Any]) -> Callable[..., Any]:
    """Let Ctrl-C end the step that compiles a function or loads its machine code.

    LLVM calls Python functions during this step. ctypes prints an exception that is raised in one of them and drops it.
    Numba then fails with another error, or continues. Either way, the exception is raised again here.
    """

    def prepare_or_raise(*arguments: Any, **keywords: Any) -> Any:
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(before):
            return prepare(*arguments, **keywords)
        raised: list[BaseException] = []

        def note(number: int, frame: FrameType | None) -> None:
            try:
                before(number, frame)
            except BaseException as exception:
                raised.append(exception)
                raise

        def report(unraisable: Any) -> None:
            if unraisable.exc_value not in raised:
                hook(unraisable)

        hook, sys.unraisablehook = sys.unraisablehook, report
        signal.signal(signal.SIGINT, note)
        try:
            return prepare(*arguments, **keywords)
        finally:
            signal.signal(signal.SIGINT, before)
            sys.unraisablehook = hook
            if raised:
                raise raised[0]

    return prepare_or_raise
