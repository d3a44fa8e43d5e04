"""``puzzlec list formats``: what puzzlec reads and writes, and which formats can store a puzzle."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated

from puzzlec.cli.arguments import ReadingOptions
from puzzlec.cli.candidates import Words, puzzles_and_files, words
from puzzlec.cli.options import Argument
from puzzlec.cli.terminal import MODE, out, out_json, say, width_of_table
from puzzlec.diagnostics import suggestion
from puzzlec.diagnostics.columns import aligned
from puzzlec.diagnostics.error import fail
from puzzlec.formats import catalogue
from puzzlec.formats.reading import AnyPuzzle
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.formats.writing import refusals

_KEYS = ("name", "read", "written", "stage", "endings", "summary")


def _puzzles_and_formats(incomplete: str) -> Words:
    return [*words({**WRITERS, **FORMATS})(incomplete), *puzzles_and_files(incomplete)]


def formats(
    puzzle: Annotated[
        str | None,
        Argument("Format to show, or puzzle to find formats for.", "FORMAT|PUZZLE", offered=_puzzles_and_formats),
    ] = None,
    reading: ReadingOptions = ReadingOptions(),
) -> None:
    """List the formats that puzzlec reads and writes.

    With the name of a format, shows only that format. With a puzzle, shows which formats can store it, and why others
    cannot.

    Examples:
        puzzlec list formats
        puzzlec list formats soma

    """
    rows = {row[0]: row for row in _rows()}
    if puzzle is not None and puzzle.lower() not in rows:
        if not os.path.exists(puzzle) and catalogue.find(puzzle) is None and (helps := suggestion(puzzle, rows)):  # noqa: PTH110
            raise fail("PZ006", f"unknown format, file or puzzle `{puzzle}`", help=helps)
        _say_which(reading.of(puzzle).read())
        return
    selection = list(rows.values()) if puzzle is None else [rows[puzzle.lower()]]
    if MODE.json:
        for row in selection:
            out_json(dict(zip(_KEYS, row, strict=True)))
        return
    heads = ("name", "read", "written", "stage", "extensions", "summary")
    yes = ("-", "yes")
    lines = [
        (name, yes[read], yes[write], stage, " ".join(ends), text) for name, read, write, stage, ends, text in selection
    ]
    for line in aligned([heads, *lines], left=range(len(heads)), width=width_of_table()):
        out(line)
    if puzzle is not None and (file := catalogue.find(puzzle)):
        which = f"{file.parent.name}/{file.stem}"
        say(f"a puzzle has the same name: `puzzlec list formats {which}` lists the formats that can store it")


def _rows() -> Iterator[tuple[str, bool, bool, str, list[str], str]]:
    """Yield the row of each format."""
    for name in dict.fromkeys([*FORMATS, *WRITERS]):
        reader, writer = FORMATS.get(name), WRITERS.get(name)
        record = writer or FORMATS[name]
        endings = [*(reader.endings if reader else ()), *(writer.endings if writer else ())]
        summary = (reader or record).summary
        yield name, reader is not None, writer is not None, record.stage, list(dict.fromkeys(endings)), summary


def _say_which(what: AnyPuzzle) -> None:
    """Print for each format whether it can store a puzzle, and if not, the reasons, one a line."""
    wide = max(map(len, WRITERS))
    if not MODE.json:
        out(f"{'name':<{wide}}  can store it")
    for name, reasons in refusals(what):
        if MODE.json:
            members = [
                {"code": reason.code, "message": reason.message, "notes": list(reason.notes)} for reason in reasons
            ]
            out_json({"name": name, "says": not reasons, "reasons": members})
            continue
        said = ["no: " + "; ".join([reason.message, *reason.notes[:1]]) for reason in reasons] or ["yes"]
        for number, line in enumerate(said):
            out(f"{'' if number else name:<{wide}}  {'    ' + line[4:] if number else line}")
