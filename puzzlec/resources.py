"""The data of puzzlec: grammars, the catalogue, error pages, lattices, shape libraries.

In a checkout the folders ``grammars/``, ``puzzles/`` and ``docs/errors/`` are beside the package. In a wheel they are
inside it, in ``puzzlec/data/``. All modules use these functions.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent


@cache
def folder(name: str) -> Path:
    """Return the folder of shipped data named ``name``, such as ``grammars`` or ``puzzles``.

    Raises FileNotFoundError if the installation lacks it.
    """
    checkout = _PACKAGE.parent
    for place in (_PACKAGE / "data" / name, checkout / name, checkout / "docs" / name, _PACKAGE / "geometry" / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"this installation of puzzlec lacks its folder `{name}`")


def grammar(name: str) -> str:
    """Return the text of ``grammars/<name>.lark``."""
    return (folder("grammars") / f"{name}.lark").read_text(encoding="utf-8")


def yaml_document(path: Path) -> Any:
    """Return the content of one of our YAML files as plain lists, dictionaries, strings and numbers.

    The cache keeps it as JSON: importing YAML takes longer than solving many puzzles.
    """
    content, file = path.read_bytes(), f"{path.stem}.json.cache"
    kept = cached(file, content)
    if kept is not None:
        return json.loads(kept)
    import yaml

    document = yaml.load(content, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    text = json.dumps(document)
    if json.loads(text) == document:  # not if a key is a number, for example
        keep(file, content, text.encode())
    return document


def cached(name: str, source: bytes) -> bytes | None:
    """Return what the cache keeps under a name; None if there is nothing, or if it is damaged or of another source."""
    folder = cache_folder()
    try:
        kept = (folder / name).read_bytes() if folder else b""
    except OSError:
        return None
    content = kept[32:]
    return content if kept[:32] == hashlib.sha256(source + content).digest() else None


def keep(name: str, source: bytes, content: bytes) -> None:
    """Keep what was made from a source in the cache, if it can be written.

    The file appears as a whole: other processes may read and write it at the same time.
    """
    folder = cache_folder()
    if folder is None:
        return
    fresh = folder / f"{name}.{os.getpid()}"
    try:
        fresh.write_bytes(hashlib.sha256(source + content).digest() + content)
        fresh.replace(folder / name)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def cache_folder() -> Path | None:
    """Return a private folder for files that can be recreated, or None if no folder can be written.

    ``PUZZLEC_CACHE`` can name the folder. By default the XDG convention decides. A folder that other users may write to
    is not used, since puzzlec trusts the files in it.
    """
    place = _cache_place()
    try:
        if place is None:
            return None
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return place if os.access(place, os.W_OK) and _is_private(place) else None
    except OSError:
        return None


def _cache_place() -> Path | None:
    """Return where the cache is; None if the user has no home. The engine has the same rule in ``bitcode.py``."""
    if named := os.environ.get("PUZZLEC_CACHE"):
        return Path(named)
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "puzzlec"
    try:
        return Path.home() / ".cache" / "puzzlec"
    except RuntimeError:
        return None


def _is_private(place: Path) -> bool:
    """Return whether a folder is private. This is true on systems without file modes."""
    if not hasattr(os, "getuid"):
        return True
    state = place.stat()
    return state.st_uid == os.getuid() and not state.st_mode & 0o022


@contextmanager
def without_cycles() -> Iterator[None]:
    """Pause Python's search for reference cycles while values without cycles are made: it takes most of the time."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
