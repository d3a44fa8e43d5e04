"""Where the data that puzzlec ships is found: grammars, the catalogue, the pages of errors, lattices, shape libraries.

In a checkout the folders ``grammars/``, ``puzzles/`` and ``docs/errors/`` stand beside the package; in a
wheel they are inside it, in ``puzzlec/data/``. Everything else in puzzlec asks here.
"""

from __future__ import annotations

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
    """Return the content of a YAML file of ours as plain lists, dictionaries, strings and numbers."""
    import yaml  # costs 60 ms: only who needs a document pays

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with path.open(encoding="utf-8") as stream:
        return yaml.load(stream, Loader=loader)


def cache_folder() -> Path | None:
    """Return a private folder for files that can be made again, or None where none can be written.

    ``PUZZLEC_CACHE`` names another one; else it follows the XDG convention.
    """
    named = os.environ.get("PUZZLEC_CACHE")
    base = os.environ.get("XDG_CACHE_HOME")
    place = Path(named) if named else (Path(base) if base else Path.home() / ".cache") / "puzzlec"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return place if os.access(place, os.W_OK) else None
