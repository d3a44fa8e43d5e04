"""Output of ``--verbose``: versions, caches, time and memory of the run, and statistics of the search."""

from __future__ import annotations

import logging
import os
import re
import sys
import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from puzzlec import resources
from puzzlec.cli.terminal import MODE, say
from puzzlec.diagnostics.figures import percentage, short
from puzzlec.version import __version__

if TYPE_CHECKING:
    from puzzlec.solving.solutions import Solutions

_log = logging.getLogger(__name__)


@contextmanager
def described(command: str) -> Iterator[None]:
    """Log versions and caches before a command, and its time and memory after it."""
    import platform

    begun = clock.perf_counter()
    _log.debug("%s %s, Python %s, %s", command, __version__, platform.python_version(), platform.platform(terse=True))
    _log.debug("libraries: %s", ", ".join(f"{name} {_version(name)}" for name in libraries()))
    _log.debug("cache of parsed files: %s", resources.cache_folder() or "none can be written")
    _log.debug("cache of kernels: %s", os.environ.get("NUMBA_CACHE_DIR") or "beside the package")
    try:
        yield
    finally:
        most = _most_memory()
        filled = f", {most:.0f} MB of memory at most" if most else ""
        _log.debug("the command took %.3f s%s", clock.perf_counter() - begun, filled)


def libraries() -> list[str]:
    """Return the required libraries of puzzlec; none if it is not installed."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        needed = requires("puzzlec") or []
    except PackageNotFoundError:
        return []
    return [re.split(r"[^\w.-]", requirement)[0] for requirement in needed if "extra ==" not in requirement]


def _version(library: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(library)
    except PackageNotFoundError:
        return "is not installed"


def _most_memory() -> float:
    """Return the most memory of this process in megabytes; 0 if the system does not report it."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 1024


#: If a command takes longer than this (seconds), the output explains why.
SLOW_COMMAND_SECONDS = 1.0


def time_taken(seconds: float) -> str:
    """Return the time of a command in words, and whether kernels were compiled during it.

    >>> time_taken(0.125)
    'in 0.12 s'
    """
    jit = sys.modules.get("puzzlec.engine.kernels.jit")
    compiled = seconds >= SLOW_COMMAND_SECONDS and jit is not None and jit.has_compiled()
    return f"in {seconds:.2f} s" + ", including a one-time compilation" * compiled


def report_stats(solutions: Solutions) -> None:
    """Print statistics of a search to standard error."""
    now = solutions.progress()
    kernel = f"{solutions.choice.kernel}: {solutions.choice.reason}" if solutions.choice else "none: nothing to search"
    rate = f", {short(now.nodes / now.seconds)} a second" if now.seconds > 0 else ""
    lines = [
        ("kernel", kernel),
        ("threads", str(solutions.threads)),
        ("nodes", f"{now.nodes}{rate}"),
        ("searched", percentage(now.fraction)),
        ("symmetries", str(solutions.order) if solutions.order is not None else "not looked for"),
        ("held", solutions.held or "nothing"),
    ]
    if MODE.json:
        data: dict[str, object] = {
            "kernel": solutions.choice.kernel if solutions.choice else None,
            "threads": solutions.threads,
        }
        data |= {"nodes": now.nodes, "seconds": now.seconds, "fraction": now.fraction, "symmetries": solutions.order}
        say("statistics", True, stats={**data, "held": solutions.held or None, "profile": solutions.profile})
        return
    for name, value in lines:
        say(f"{name:<11}{value}", True)
    from puzzlec.cli.texts.estimates import profile_lines  # it is for --verbose only

    for row in profile_lines(solutions.profile):
        say(row, True)
