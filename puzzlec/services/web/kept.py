"""Texts about puzzles of the catalogue that take long to make, in the cache of puzzlec: pictures and numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from puzzlec import resources
from puzzlec.formats.catalogue import Entry
from puzzlec.version import __version__


def stored(extension: str, some: Iterable[Entry]) -> str | None:
    """Return a text about puzzles if the cache has it."""
    path = _path(extension, some)
    with suppress(OSError):
        return path.read_text(encoding="utf-8") if path is not None else None
    return None


def kept(extension: str, some: Iterable[Entry], made: Callable[[], str]) -> str:
    """Return a text about puzzles from the cache, or make it and keep it there."""
    entries = list(some)
    found = stored(extension, entries)
    if found is not None:
        return found
    found, path = made(), _path(extension, entries)
    if path is not None:
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            part = path.with_suffix(".part")
            part.write_text(found, encoding="utf-8")
            part.replace(path)
    return found


def _path(extension: str, some: Iterable[Entry]) -> Path | None:
    """Return the file of a text in the cache, by version and contents; None without a cache."""
    folder = resources.cache_folder()
    digest = hashlib.sha256(__version__.encode())
    for entry in some:
        digest.update(entry.path.read_bytes())
    return folder / "wall" / f"{digest.hexdigest()[:24]}.{extension}" if folder else None
