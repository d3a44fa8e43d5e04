"""What ``--verbose`` tells about the run itself: versions, caches, the time it took and the memory it filled."""

from __future__ import annotations

import logging
import os
import platform
import re
import sys
import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, requires, version

from puzzlec import resources
from puzzlec.version import __version__

_log = logging.getLogger(__name__)


@contextmanager
def described(command: str) -> Iterator[None]:
    """Tell of a command that runs in the block: what it runs on before, what it took behind."""
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
    """Return the libraries that puzzlec always needs, as its package names them; none where it is not installed."""
    try:
        needed = requires("puzzlec") or []
    except PackageNotFoundError:
        return []
    return [re.split(r"[^\w.-]", each)[0] for each in needed if "extra ==" not in each]


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "is not installed"


def _most_memory() -> float:
    """Return how many megabytes this process has filled at most; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 1024
