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

    The cache keeps it as JSON, with a digest of the file: importing YAML takes longer than solving many puzzles. If the
    cache cannot be read or written, it is not used.
    """
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    folder = cache_folder()
    kept = folder / f"{path.stem}.json" if folder else None
    if kept is not None:
        try:
            known = json.loads(kept.read_bytes())
            if known["digest"] == digest:
                return known["document"]
        except (OSError, ValueError, KeyError, TypeError):
            pass
    import yaml

    document = yaml.load(content, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if kept is not None:
        _keep(kept, {"digest": digest, "document": document})
    return document


def _keep(path: Path, what: dict[str, Any]) -> None:
    """Write a JSON value to a file. If that fails, no partial file is left."""
    text = json.dumps(what)
    if json.loads(text) != what:  # a key that is a number, for example
        return
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
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
