"""A puzzle with its solutions as a file: in a format of puzzlec, as a picture, a page, or things to make."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from puzzlec.diagnostics import Diagnostic, PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.formats.reading import Level
from puzzlec.ir import Fitting, Solution
from puzzlec.ir.solution import Placement
from puzzlec.make.table import MESHES, OUTLINES, OUTPUTS, PICTURES
from puzzlec.pipeline import compile
from puzzlec.services.sandbox.worker import Tell
from puzzlec.services.web.settings import choices_of, cutting_of, for_page, plate_of, settings_of, sizes_of
from puzzlec.solving.checker import Checker, WrongSolutionError
from puzzlec.solving.subject import Subject

#: A file of more bytes is not given to the page.
LARGEST = 64 * 2**20

#: Solutions that the page does not have are looked for at most so long (seconds).
PATIENCE = 10.0


#: Pictures, pages and models, by their names.
KINDS = {each.name: each for each in OUTPUTS}


def export(what: Level, task: dict[str, Any], tell: Tell) -> None:
    """Tell the bytes of a puzzle ``to`` some form, with the ``solutions`` that are shown, by its ``settings``.

    Where they are several files they are packed into one, and the end says so (``packed``); ``remarks`` are what is to
    be known about them. Raises PuzzleError, which speaks of what is on the page.
    """
    to = task["to"]
    remarks: list[str] = []
    try:
        chosen = settings_of(to, task.get("settings") or {})
        made = _made(what, to, task.get("solutions") or [], chosen, remarks) if to in KINDS else _written(what, to)
    except PuzzleError as error:
        raise PuzzleError([_for_page(each, to) for each in error.diagnostics]) from None
    content = made if isinstance(made, bytes) else packed(made, KINDS[to].ending)
    if len(content) > LARGEST:
        raise fail(
            "PZ503", f"this file would be larger than {LARGEST // 2**20} MB", help="`puzzlec` in a terminal writes it"
        )
    packing = not isinstance(made, bytes)
    tell("end", why="complete", content=base64.b64encode(content).decode(), packed=packing, remarks=remarks)


def _for_page(diagnostic: Diagnostic, to: str) -> Diagnostic:
    helps = [for_page(each, to) for each in diagnostic.helps]
    return replace(diagnostic, helps=tuple([each for each in helps if each]))


def packed(files: Mapping[str, bytes], ending: str) -> bytes:
    """Return files, by what tells them apart, as one ZIP file; the same files give the same bytes."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (mark, content) in enumerate(files.items(), 1):
            plain = re.sub(r"[^\w+-]", "_", mark)  # some systems do not have all signs in names
            name = f"plate-{mark}{ending}" if mark == str(number) else f"{number:02}-{plain}{ending}"
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # without the time
    return found.getvalue()


def _written(what: Level, to: str) -> bytes:
    from puzzlec.formats.writing import write_chunks

    return b"".join([each if isinstance(each, bytes) else each.encode() for each in write_chunks(what, to)])


def _made(
    what: Level,
    to: str,
    solutions: Sequence[Sequence[Sequence[int]]],
    chosen: Mapping[str, Any],
    remarks: list[str],
) -> bytes | dict[str, bytes]:
    """Return a picture, a page or a model; several files by what tells them apart."""
    from puzzlec.make import outputs as pictures

    subject = _subject(what, solutions, chosen)
    kind, format = KINDS[to].kind, KINDS[to].format
    if kind == PICTURES:
        made: str | bytes = pictures.draw(subject, format, choices_of(chosen), scale=chosen.get("scale"))
    elif kind == OUTLINES:
        made = pictures.cut(subject, format, cutting_of(chosen), remarks)
    elif kind == MESHES:
        layout, separate = chosen.get("layout", "plate"), chosen.get("separate", False)
        # Pieces in files of their own lie in no solution, and those of a solution on no plate.
        plate = None if separate or layout == "solution" else plate_of(chosen)
        files = pictures.models(subject, format, sizes_of(chosen), layout, plate, separate, remarks)
        return files if separate or len(files) > 1 else next(iter(files.values()))
    else:
        made = pictures.view(subject, remarks=remarks)
    return made if isinstance(made, bytes) else made.encode()


def _subject(what: Level, solutions: Sequence[Sequence[Sequence[int]]], chosen: Mapping[str, Any]) -> Subject:
    """Return what is shown, with solutions that are looked for where some are wanted and the page has too few."""
    from puzzlec.make import outputs as pictures

    fitting = compile(what, "fitting")
    assert isinstance(fitting, Fitting)
    wants = chosen.get("layout") == "solution" or chosen.get("what") == "solution"
    number = chosen.get("number", 1 if wants else 0)
    if len(solutions) >= number or chosen.get("what") in ("board", "pieces"):
        return Subject(fitting, solutions_of(fitting, solutions))
    return pictures.subject(fitting, number, PATIENCE)


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
