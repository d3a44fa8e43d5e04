"""Compiled functions, from shipped bitcode if there is any, otherwise by numba.

A decorated function imports nothing. Its first call looks for its bitcode. If there is none, numba compiles the
function and caches it on disk if possible. The function releases the interpreter's lock. Only then are the functions
that it calls passed to numba.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, TypeVar, cast

from puzzlec.engine.kernels import bitcode, compiling

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = __name__.rpartition(".")[0] + "."

_lock = threading.RLock()


class Later:
    """A function that only numba's compiler needs. It is made when numba compiles, with the functions that it calls."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._made: Any = None

    @property
    def made(self) -> Any:
        """The function as numba knows it."""
        with _lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # numba's own attributes are public; Python may look for special ones at any time
            raise AttributeError(name)
        return getattr(self.made, name)


#: numpy in a module of kernels that are called without arrays of numpy: their machine code does without it.
numpy_later = Later(partial(import_module, "numpy"))


class Compiled(Later):
    """A function that is compiled or loaded on its first call."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(self._dispatcher)
        self.function, self._options = function, options
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self._shipped: bitcode.Shipped | None = None
        self._looked = False
        _FUNCTIONS.append(self)

    @property
    def shipped(self) -> bitcode.Shipped | None:
        """The machine code from shipped bitcode, or None."""
        if not self._looked:
            with _lock:
                if not self._looked:
                    self._shipped = bitcode.shipped(self.function)
                    self._looked = True
        return self._shipped

    @property
    def is_called_from_python(self) -> bool:
        """Whether Python calls it: no other option of numba is set."""
        return not self._options

    @property
    def has_missed(self) -> bool:
        """Whether numba has compiled it in this process."""
        return self._made is not None and bool(self._made.stats.cache_misses)

    def __call__(self, *arguments: Any) -> Any:
        """Call the machine code. Compile it first if there is none."""
        shipped = self._shipped if self._looked else self.shipped
        if shipped is not None and (slots := shipped.slots(arguments)) is not None:
            return shipped.call(slots)
        return (self._made or self.made)(*map(_for_numba, arguments))

    def prepared(self, *arguments: Any) -> Callable[[], Any]:
        """Return a function that quickly calls the machine code with these arguments. Contents of arrays may change."""
        shipped = self.shipped
        if shipped is not None and (slots := shipped.slots(arguments)) is not None:
            return shipped.prepared(slots, arguments)
        return partial(self._made or self.made, *map(_for_numba, arguments))

    def _dispatcher(self) -> Any:
        numba_jit = _numba().jit
        try:
            made = numba_jit(nopython=True, nogil=True, cache=_has_cache(), **self._options)(self.function)
        except RuntimeError:  # numba found no folder that it may write to
            made = numba_jit(nopython=True, nogil=True, **self._options)(self.function)
        made._compile_for_args = _interruptible(made._compile_for_args)
        self._made = made  # a function may call itself
        for scope, name, value in callees(self.function):
            scope[name] = value.made
        return made


def _for_numba(argument: Any) -> Any:
    """Return an argument with arrays of numpy instead of views of memory. The memory is the same."""
    if type(argument) is tuple:
        return tuple(map(_for_numba, argument))
    return numpy_later.asarray(argument) if isinstance(argument, memoryview) else argument


def _has_cache() -> bool:
    """Return whether numba has a folder for its cache. For a user without a home, it would make one named `~`."""
    if os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME"):
        return True
    has_home = not os.path.expanduser("~").startswith("~")  # noqa: PTH111 - Path.home() raises an error
    folder = Path(__file__).parent
    beside = folder / "__pycache__"
    return has_home or os.access(beside if beside.exists() else folder, os.W_OK)


def callees(function: Callable[..., Any]) -> list[tuple[dict[str, Any], str, Later]]:
    """Return the functions that a function names and that numba has not made yet, each with its position."""
    names = set(_names(function.__code__))
    scope: dict[str, Any] = function.__globals__
    scopes = [scope]
    for name in names:
        value = scope.get(name)
        if isinstance(value, ModuleType) and value.__name__.startswith(_PACKAGE):
            scopes.append(vars(value))
    return [
        (scope, name, scope[name]) for scope in scopes for name in sorted(names) if isinstance(scope.get(name), Later)
    ]


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


#: All jitted functions.
_FUNCTIONS: list[Compiled] = []


def is_compiled(function: Callable[..., Any]) -> bool:
    """Return whether a jitted function has machine code, in this process or on disk, or shipped bitcode.

    This asks numba's cache for the position of its index. If the position is unknown, the answer is yes.
    """
    made = function
    if isinstance(function, Compiled):
        if function.shipped is not None or function.signatures:
            return True
        made = function.made
    elif getattr(function, "signatures", ()):  # numba has replaced it, for a function that calls it
        return True
    index = getattr(getattr(getattr(made, "_cache", None), "_cache_file", None), "_index_path", None)
    return index is None or Path(index).exists()


def is_ready(function: Callable[..., Any]) -> bool:
    """Return whether a jitted function has machine code in the cache, and needs neither numba nor LLVM."""
    return isinstance(function, Compiled) and bitcode.is_ready(function.function)


@cache
def _numba() -> Any:
    """Import numba, make it report when it compiles, and return the module."""
    import numba
    from numba.core import event

    class Compiles(event.Listener):
        """Notes when numba compiles a function. Loading a function from disk does not count."""

        def on_start(self, event: object) -> None:  # noqa: ARG002
            compiling.began()

        def on_end(self, event: object) -> None:  # noqa: ARG002
            compiling.ended()

    register: Any = event.register
    register("numba:compile", Compiles())
    return numba


def has_compiled() -> bool:
    """Return whether numba has compiled a function in this process: its machine code was not on disk."""
    return any(function.has_missed for function in _FUNCTIONS)


def jit(function: Function) -> Function:
    """Compile a function on its first call. Cache the machine code if a writable folder exists."""
    return cast(Function, Compiled(function, {}))


def inner(function: Function) -> Function:
    """Compile a function that only jitted functions call: without the slow wrappers for calls from Python."""
    return cast(Function, Compiled(function, {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}))


def inlined(function: Function) -> Function:
    """Inline a function into its callers before optimisation: tuples of arrays then cost nothing."""
    return cast(Function, Compiled(function, {"inline": "always"}))


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
