"""The viewer of `puzzlec view` as files for the page: the class ``PuzzleView``, and how it looks."""

from __future__ import annotations

from collections.abc import Callable


def _script() -> bytes:
    from puzzlec.show.page import viewer_source

    return viewer_source().encode()


def _style() -> bytes:
    from puzzlec.show.page import viewer_style

    return viewer_style().encode()


#: For each file what makes it.
FILES: dict[str, Callable[[], bytes]] = {"viewer.js": _script, "viewer.css": _style}
