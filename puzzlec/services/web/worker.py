"""The process that reads, draws and solves for the page: ``python -m puzzlec.services.web.worker MEMORY``.

If the server asks it to stop, a solve has a moment to report what it has found.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from puzzlec import resources
from puzzlec.services.sandbox.worker import Do, run


def main() -> NoReturn:
    """Do one task after the other until the server closes the pipe."""
    signal.signal(signal.SIGTERM, _interrupt)
    run(_tasks)


def _tasks() -> Do:
    readable()  # computed now, while the working folder is the served one
    sys.addaudithook(_lattices_stay_inside)
    from puzzlec.services.web.tasks import do

    return do


def _interrupt(number: int, frame: object) -> None:  # noqa: ARG001
    """Stop the current task. A solve sends its results so far."""
    raise KeyboardInterrupt


@cache
def readable() -> tuple[Path, ...]:
    """Return the folders whose YAML files may be read: the served one, and those of puzzlec.

    In a wheel, all data of puzzlec is in the package. In a checkout, some of it is beside the package.
    """
    folders = [Path(os.path.realpath(Path.cwd())), Path(os.path.realpath(Path(resources.__file__).parent))]
    for name in ("grammars", "puzzles", "errors", "lattices", "shapes"):
        with suppress(FileNotFoundError):
            folders.append(Path(os.path.realpath(resources.folder(name))))
    return tuple(folders)


def _lattices_stay_inside(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse to open a lattice outside the folder: a text can give any path."""
    if event != "open" or not isinstance(arguments[0], str | os.PathLike):
        return
    name = os.fspath(arguments[0])
    if not isinstance(name, str) or not name.lower().endswith((".yaml", ".yml")):
        return
    path = Path(os.path.realpath(name))
    if not any(path.is_relative_to(folder) for folder in readable()):
        raise PermissionError(errno.EACCES, "it is outside the folder", name)


if __name__ == "__main__":
    main()
