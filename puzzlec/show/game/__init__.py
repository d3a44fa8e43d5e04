"""A page to play a puzzle on: drag the pieces onto the board, with hints from stored solutions.

It is one HTML file: the data, and the program that shows it, without other libraries.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from puzzlec.show import page as viewer
from puzzlec.show.game.data import game_data
from puzzlec.show.words import embedded, phrase_source, without_scripts
from puzzlec.solving.subject import Subject

#: The parts of the program in the order in which they are joined; the first one is shared with the viewer.
MODULES = ("rules", "hints", "picture", "game")

_HERE = Path(__file__).parent


@cache
def game_source() -> str:
    """Return the program as one text of plain JavaScript, which defines ``PuzzleGame`` and its parts."""
    return "\n".join([(Path(viewer.__file__).parent / "arrays.js").read_text(encoding="utf-8"), *map(_module, MODULES)])


def game_style() -> str:
    """Return the style of a game."""
    return _text("game.css")


def _module(name: str) -> str:
    return _text(f"{name}.js")


def game(subject: Subject, remarks: list[str] | None = None, palette: str = "standard") -> str:
    """Return a page to play a puzzle on; it loads nothing from elsewhere. ``remarks`` and errors: see `game_data`."""
    found = game_data(subject, remarks=remarks, palette=palette)
    data = json.dumps(found, separators=(",", ":")).replace("<", "\\u003c")
    parts = (phrase_source(), embedded("game"), game_source(), _text("start.js"))
    source = f'(() => {{\n"use strict";\n{"".join(parts)}}})();\n'
    assert "</script" not in source
    digest = b64encode(hashlib.sha256(source.encode()).digest()).decode()
    return Template(_text("game.html")).substitute(
        policy=f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        title=escape(subject.title or "a puzzle").encode("utf-8", "replace").decode("utf-8"),
        style=game_style(),
        silent=without_scripts("game"),
        data=data,
        source=source,
    )


@cache
def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


__all__ = ["game", "game_data", "game_source", "game_style"]
