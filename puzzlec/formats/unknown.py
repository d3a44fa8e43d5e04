"""Names that are neither a file nor a puzzle of the catalogue: what somebody who typed one may have meant."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from puzzlec import resources
from puzzlec.diagnostics import PuzzleError, Report, counted, near
from puzzlec.diagnostics.error import fail
from puzzlec.formats import catalogue
from puzzlec.formats.registry import FORMATS

#: So many files of a folder are looked at.
_LOOKS = 10_000

#: So many names are suggested.
_MOST = 4


def unknown(name: str) -> PuzzleError | None:
    """Return the fault that a name means nothing, with what it may have meant.

    None for what looks like a file, and like no file or puzzle that there is: whoever reads it says what is wrong.
    """
    folder = name.rstrip("/")
    files, family = files_like(name), catalogue.family(folder)
    if family and not files:
        most = ", ".join(f"`{each}`" for each in family[:_MOST])
        puzzles = counted(len(family), "puzzle")
        return fail(
            "PZ006",
            f"there is no file called `{name}`, and in the catalogue that is a family of {puzzles}",
            help=f"name one, such as {most}; `puzzlec list {folder}` lists all",
        )
    similar = [*files, *catalogue.suggestions(name)][:_MOST]
    if not similar and ("/" in name or "." in name):
        return None
    meant = f"did you mean {' or '.join(f'`{each}`' for each in similar)}?"
    return fail(
        "PZ006",
        f"there is no file and no puzzle of the catalogue called `{name}`",
        help=meant if similar else "`puzzlec list` names them",
    )


def warn_of_a_file(name: str, found: Path, report: Report) -> None:
    """Report a puzzle file that is called as a puzzle of the catalogue, but for its ending: the name means the latter.

    Files in other formats are often made from the puzzle of the catalogue, and called so.
    """
    there = [file for file in files_like(name) if name in _shorter(file) and ".puzzle" in file]
    if there:
        puzzle = found.relative_to(resources.folder("puzzles")).with_suffix("").as_posix()
        report.add(
            "PZ010",
            f"`{name}` is `{puzzle}` of the catalogue here, not the file `{there[0]}`",
            file=name,
            help=f"write `{there[0]}` for the file, `{puzzle}` for the puzzle of the catalogue",
        )


def _shorter(file: str) -> tuple[str, ...]:
    """Return what is left of the name of a file without its ending, and without ``.txt`` and the ending before it."""
    stem = Path(file).stem
    return (stem, Path(stem).stem) if file.endswith(".txt") else (stem,)


def files_like(name: str) -> list[str]:
    """Return files of puzzles beside which ``name`` would be: it with an ending, in the language first; else slips.

    Editors put ``.txt`` behind the ending, and some systems do not show it: ``cube.puzzle.txt`` is one, too.
    """
    last = Path(name).name
    if not name.endswith(last):
        return []
    try:
        with os.scandir(Path(name).parent) as entries:
            there = sorted(entry.name for entry in islice(entries, _LOOKS) if entry.is_file())
    except (OSError, ValueError):
        return []
    endings = {ending for each in FORMATS.values() for ending in each.endings}
    there = [file for file in there if Path(file.removesuffix(".txt")).suffix in endings]
    found = [file for file in there if last.lower() in _shorter(file.lower())]
    if not found:
        slips = near(last, there) + near(last, dict.fromkeys(Path(file).stem for file in there))
        found = [file for file in there if file in slips or Path(file).stem in slips]
    found.sort(key=lambda file: not file.endswith(".puzzle"))
    return [name.removesuffix(last) + file for file in found]
