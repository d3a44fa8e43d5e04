"""The wall of puzzles: the stored picture of each puzzle of the catalogue, its number of pieces, and moves of burrs.

``python -m tests.tools.gallery`` makes them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from puzzlec import resources

#: The white ground of a stored picture.
_GROUND = re.compile(r'<rect [^>]*fill="#ffffff"/>\n')


def picture(name: str) -> str:
    """Return the stored picture of a puzzle of the catalogue as SVG, without its white ground; empty without one."""
    path = resources.folder("gallery") / f"{name.replace('/', '-')}.svg"
    return _GROUND.sub("", path.read_text(encoding="utf-8"), count=1) if path.is_file() else ""


def apart(name: str) -> dict[str, Any] | None:
    """Return the stored data of the viewer for a burr of the catalogue, with its moves; None without any."""
    path = resources.folder("gallery") / f"{name.replace('/', '-')}.json"
    if not path.is_file():
        return None
    data: dict[str, Any] = json.loads(path.read_bytes())
    return data


def numbers_of_pieces() -> dict[str, int | None]:
    """Return the number of pieces of each puzzle of the catalogue; None if it varies."""
    numbers: dict[str, int | None] = json.loads((resources.folder("gallery") / "pieces.json").read_bytes())
    return numbers
