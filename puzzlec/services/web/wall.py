"""The wall of puzzles: the stored picture of each puzzle of the catalogue, and its number of pieces.

``python -m tests.tools.gallery`` makes both.
"""

from __future__ import annotations

import json
import re

from puzzlec import resources

#: The white ground of a stored picture.
_GROUND = re.compile(r'<rect [^>]*fill="#ffffff"/>\n')


def picture(name: str) -> str:
    """Return the stored picture of a puzzle of the catalogue as SVG, without its white ground; empty without one."""
    path = resources.folder("gallery") / f"{name.replace('/', '-')}.svg"
    return _GROUND.sub("", path.read_text(encoding="utf-8"), count=1) if path.is_file() else ""


def numbers_of_pieces() -> dict[str, int | None]:
    """Return the number of pieces of each puzzle of the catalogue; None if it varies."""
    numbers: dict[str, int | None] = json.loads((resources.folder("gallery") / "pieces.json").read_bytes())
    return numbers
