"""A puzzle with its solutions as a file: in a format of puzzlec, as a picture, a page, or things to make."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, NamedTuple

from puzzlec.diagnostics.diagnostic import fail
from puzzlec.ir import Fitting, Solution
from puzzlec.ir.solution import Placement
from puzzlec.pipeline import compile
from puzzlec.readers import Level
from puzzlec.render.subject import Subject
from puzzlec.solution.checker import Checker, WrongSolutionError
from puzzlec.web.tasks import Tell

#: A file of more bytes is not given to the page.
LARGEST = 64 * 2**20


class Kind(NamedTuple):
    """What can be made of what is shown: the name and the ending, what it is, its media type, and the extra needed."""

    name: str
    ending: str
    summary: str
    media: str
    group: str


#: What is no format of a puzzle, but a picture, a page, or a model.
KINDS = {
    each.name: each
    for each in (
        Kind("svg", ".svg", "a picture that scales", "image/svg+xml", "pictures"),
        Kind("png", ".png", "a picture in pixels", "image/png", "pictures"),
        Kind("html", ".html", "a page to turn it on, which works without a network", "text/html", "pictures"),
        Kind("stl", ".stl", "the pieces, to print", "model/stl", "models"),
        Kind("3mf", ".3mf", "the pieces in their colours, to print", "model/3mf", "models"),
        Kind("glb", ".glb", "the pieces for 3D programs", "model/gltf-binary", "models"),
        Kind("dxf", ".dxf", "outlines for a laser", "image/vnd.dxf", "models"),
    )
}


def export(what: Level, task: dict[str, Any], tell: Tell) -> None:
    """Tell the bytes of a puzzle ``to`` some form, with the ``solutions`` that are shown; raise PuzzleError."""
    to = task["to"]
    content = _drawn(what, to, task.get("solutions") or []) if to in KINDS else _written(what, to)
    if len(content) > LARGEST:
        raise fail(
            "PZ503", f"this file would be larger than {LARGEST // 2**20} MB", help="`puzzlec` in a terminal writes it"
        )
    tell("end", why="complete", content=base64.b64encode(content).decode())


def _written(what: Level, to: str) -> bytes:
    from puzzlec.writers import write_chunks

    return b"".join([each if isinstance(each, bytes) else each.encode() for each in write_chunks(what, to)])


def _drawn(what: Level, to: str, chosen: Sequence[Sequence[Sequence[int]]]) -> bytes:
    from puzzlec import pictures

    fitting = compile(what, "fitting")
    assert isinstance(fitting, Fitting)
    subject = Subject(fitting, solutions_of(fitting, chosen))
    if to == "html":
        made: str | bytes = pictures.view(subject)
    elif to in ("svg", "png"):
        made = pictures.draw(subject, to)
    elif to == "dxf":
        made = pictures.cut(subject, to)
    else:
        made = pictures.model(subject, to)
    return made if isinstance(made, bytes) else made.encode()


def solutions_of(fitting: Fitting, chosen: Sequence[Sequence[Sequence[int]]]) -> tuple[Solution, ...]:
    """Return solutions by the numbers of their placements, for each piece; raise PuzzleError for what is none."""
    checker, found = Checker(fitting), []
    for number, orientations in enumerate(chosen, 1):
        try:
            placements = [
                Placement(piece, index, fitting.pieces[piece].placements.row(index))
                for piece, indices in enumerate(orientations)
                for index in indices
                if 0 <= index < len(fitting.pieces[piece].placements)
            ]
            solution = Solution(fitting, tuple(placements))
            checker.check(solution)
        except (WrongSolutionError, IndexError, TypeError) as error:
            raise fail(
                "PZ608",
                f"solution {number} is none of this puzzle: {error}",
                help="solve it again: the text has changed",
            ) from None
        found.append(solution)
    return tuple(found)
