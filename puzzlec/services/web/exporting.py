"""Export a puzzle with its solutions: in a format of puzzlec, as a picture, a page, or a model."""

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

#: Maximum number of bytes of a file that is sent to the page.
LARGEST = 64 * 2**20

#: Seconds to search for solutions that the page does not have.
PATIENCE = 10.0


#: Pictures, pages and models, by their names.
KINDS = {output.name: output for output in OUTPUTS}


def export(what: Level, task: dict[str, Any], tell: Tell) -> None:
    """Send a puzzle in the format ``to``, with the ``solutions`` that the page shows, made with these ``settings``.

    Several files become one ZIP file. The end then has ``packed``. ``remarks`` are for the user. Raises PuzzleError
    with suggestions that suit the page.
    """
    to = task["to"]
    remarks: list[str] = []
    try:
        chosen = {**settings_of(to, task.get("settings") or {}), "palette": task.get("palette") or "standard"}
        made = _made(what, to, task.get("solutions") or [], chosen, remarks) if to in KINDS else _written(what, to)
    except PuzzleError as error:
        raise PuzzleError([_for_page(diagnostic, to) for diagnostic in error.diagnostics]) from None
    content = made if isinstance(made, bytes) else packed(made, KINDS[to].ending)
    if len(content) > LARGEST:
        raise fail("PZ503", f"the file would be larger than {LARGEST // 2**20} MB", help="use `puzzlec` in a terminal")
    packing = not isinstance(made, bytes)
    tell("end", why="complete", content=base64.b64encode(content).decode(), packed=packing, remarks=remarks)


def _for_page(diagnostic: Diagnostic, to: str) -> Diagnostic:
    helps = [for_page(help, to) for help in diagnostic.helps]
    return replace(diagnostic, helps=tuple([help for help in helps if help]))


def packed(files: Mapping[str, bytes], ending: str) -> bytes:
    """Return files, by their distinguishing names, as one ZIP file. The same files give the same bytes."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (mark, content) in enumerate(files.items(), 1):
            plain = re.sub(r"[^\w+-]", "_", mark)  # some systems do not allow all characters in names
            name = f"plate-{mark}{ending}" if mark == str(number) else f"{number:02}-{plain}{ending}"
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # without the time
    return found.getvalue()


def _written(what: Level, to: str) -> bytes:
    from puzzlec.formats.writing import write_chunks

    return b"".join([chunk if isinstance(chunk, bytes) else chunk.encode() for chunk in write_chunks(what, to)])


def _made(
    what: Level,
    to: str,
    solutions: Sequence[Sequence[Sequence[int]]],
    chosen: Mapping[str, Any],
    remarks: list[str],
) -> bytes | dict[str, bytes]:
    """Return a picture, a page or a model; several files by their distinguishing names."""
    from puzzlec.make import outputs as pictures

    subject = _subject(what, solutions, chosen)
    kind, format = KINDS[to].kind, KINDS[to].format
    if kind == PICTURES:
        made: str | bytes = pictures.draw(subject, format, choices_of(chosen), scale=chosen.get("scale"))
    elif kind == OUTLINES:
        made = pictures.cut(subject, format, cutting_of(chosen), remarks)
    elif kind == MESHES:
        layout, separate = chosen.get("layout", "plate"), chosen.get("separate", False)
        # Separate files and models of a solution have no plate.
        plate = None if separate or layout == "solution" else plate_of(chosen)
        files = pictures.models(subject, format, sizes_of(chosen), layout, plate, separate, remarks)
        return files if separate or len(files) > 1 else next(iter(files.values()))
    else:
        made = pictures.view(subject, remarks=remarks, palette=chosen["palette"])
    return made if isinstance(made, bytes) else made.encode()


def _subject(what: Level, solutions: Sequence[Sequence[Sequence[int]]], chosen: Mapping[str, Any]) -> Subject:
    """Return the subject to show. If the page has too few solutions, search for some."""
    from puzzlec.make import outputs as pictures

    fitting = compile(what, "fitting")
    assert isinstance(fitting, Fitting)
    wants = chosen.get("layout") == "solution" or chosen.get("what") == "solution"
    number = chosen.get("number", 1 if wants else 0)
    if len(solutions) >= number or chosen.get("what") in ("board", "pieces"):
        return Subject(fitting, solutions_of(fitting, solutions))
    return pictures.subject(fitting, number, PATIENCE)


def solutions_of(fitting: Fitting, chosen: Sequence[Sequence[Sequence[int]]]) -> tuple[Solution, ...]:
    """Return solutions from the numbers of placements of each piece; raise PuzzleError for invalid ones."""
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
                f"solution {number} is not a solution of this puzzle: {error}",
                help="solve the puzzle again, since its text has changed",
            ) from None
        found.append(solution)
    return tuple(found)
