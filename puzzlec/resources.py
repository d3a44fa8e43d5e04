"""Where the data that puzzlec ships is found: grammars, the catalogue, the pages of errors, lattices, shape libraries.

In a checkout the folders ``grammars/``, ``puzzles/`` and ``docs/errors/`` stand beside the package; in a
wheel they are inside it, in ``puzzlec/data/``. Everything else in puzzlec asks here.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent


@cache
def folder(name: str) -> Path:
    """Return the folder of shipped data called ``name``, such as ``grammars`` or ``puzzles``.

    Raises FileNotFoundError when the installation lacks it.
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
    """Return the content of a YAML file of ours as plain lists, dictionaries, strings and numbers.

    It is kept as JSON in the cache, with a digest of what it was made from: YAML takes longer to import than many a
    puzzle to solve. A cache that cannot be read or written is done without.
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
    """Write what JSON can say into a file, whole or not at all."""
    text = json.dumps(what)
    if json.loads(text) != what:  # a key that is a number, say
        return
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)


def cache_folder() -> Path | None:
    """Return a private folder for files that can be made again, or None where none can be written.

    ``PUZZLEC_CACHE`` names another one; else it follows the XDG convention. A folder that others may write into is not
    used: what lies there would be trusted.
    """
    named = os.environ.get("PUZZLEC_CACHE")
    base = os.environ.get("XDG_CACHE_HOME")
    place = Path(named) if named else (Path(base) if base else Path.home() / ".cache") / "puzzlec"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return place if os.access(place, os.W_OK) and _is_private(place) else None


def _is_private(place: Path) -> bool:
    """Whether a folder is ours, and nobody else may write into it; taken for granted where there is no such mode."""
    if not hasattr(os, "getuid"):
        return True
    state = place.stat()
    return state.st_uid == os.getuid() and not state.st_mode & 0o022
