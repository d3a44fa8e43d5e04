"""Files of puzzles in any format: accepted inputs are lowered, written and read again, and keep their meaning."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from zlib import crc32

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.diagnostics.files import source_of
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import AnyPuzzle, read
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.formats.writing import write
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import place
from tests.tools.fuzz.rules import Said, accepted, refused

#: Larger puzzles are not written again, but hundreds of small ones are.
LARGEST = 300

#: One of this many accepted inputs is written and read again, which takes ten times as long as reading.
SAMPLED = 16

#: Codes with which writing and lowering may refuse a puzzle.
UNSAYABLE = frozenset({"PZ501", "PZ502", "PZ503"})
UNPLACED = frozenset({"PZ253", "PZ316", "PZ325", "PZ337", "PZ365", "PZ366", "PZ373"})


def try_file(content: bytes, format: str | None) -> Said:
    """Read a file in a format (None: detected). Its meaning must survive writing."""
    name = f"f{FORMATS[format].endings[0]}" if format else "-"
    report = Report()
    text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    source = Source(name, text if not content.startswith((b"PK", b"\x1f\x8b")) else "")
    try:
        source = source_of(content, name)
        found = _read(source, format, report)
    except PuzzleError as error:
        return refused(error, source)
    assert isinstance(found, Puzzle | Fitting | ExactCover), "the result is not a level"
    if format == "puzzle":
        assert isinstance(found, Puzzle), "the result is not a puzzle"
        assert found.locations, "accepted without locations"
        assert found.pieces, "accepted without pieces"
    if crc32(content) % SAMPLED == 0 and _size(found) <= LARGEST:
        _survives(found, format or "json")
    return accepted(report.diagnostics, source)


def _read(source: Source, format: str | None, report: Report) -> AnyPuzzle:
    try:
        return read(source, format, report)
    except PuzzleError as error:
        missing = next((diagnostic for diagnostic in error.diagnostics if diagnostic.code == "PZ251"), None)
        board = re.search(r"--board (\w+)", missing.helps[0]) if missing else None
        if board is None:
            raise
        report.diagnostics.clear()
        return read(source, format, report, "3x3x3" if board[1].count("x") == 2 else "6x4")


def _size(what: AnyPuzzle) -> int:
    if isinstance(what, Puzzle):
        return (
            len(what.locations)
            + sum(len(piece.cells) + sum(map(len, piece.covers or ())) for piece in what.pieces)
            + sum(len(rule.region) for rule in what.rules.pieces)
        )
    if isinstance(what, Fitting):
        return what.locations + sum(len(piece.placements) + len(piece.placements.locations) for piece in what.pieces)
    return what.primary + what.secondary + len(what.items)


def _survives(what: AnyPuzzle, format: str) -> None:
    """Assert that JSON and the format of the input keep the whole meaning."""
    again = _again(what, "json")
    assert again == what, "JSON says something else"
    if format == "json" or format not in WRITERS:
        return
    try:
        again = _again(what, format)
    except PuzzleError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} <= UNSAYABLE, (
            f"not written: {error.diagnostics[0]}"
        )
        return
    assert meaning(again) == meaning(what), f"{format} says something else"
    assert _written(again, format) == _written(_again(again, format), format), f"{format} never settles"


def _written(what: AnyPuzzle, format: str) -> bytes:
    return write(what, format).encode()


def _again(what: AnyPuzzle, format: str) -> AnyPuzzle:
    """Return the puzzle after writing and reading it. If a format has only pieces, a comment has the board."""
    content = _written(what, format)
    told = re.search(rb"[Bb]oard is (\d+(?:x\d+)*)|--board (\d+(?:x\d+)*)", content)
    board = (told[1] or told[2]).decode() if FORMATS[format].pieces_only and told else None
    try:
        return read(source_of(content, f"again{FORMATS[format].endings[0]}"), format, Report(), board)
    except PuzzleError as error:
        raise AssertionError(f"{format} cannot be read again: {error.diagnostics[0].code}") from error


def meaning(what: AnyPuzzle) -> object:
    """Return the parts of a puzzle that must be equal for the same meaning, in any order and with any names."""
    if isinstance(what, Puzzle):
        try:
            what = replace(place(what), puzzle=None)
        except PuzzleError as error:
            assert {diagnostic.code for diagnostic in error.diagnostics} <= UNPLACED, (
                f"not placed: {error.diagnostics[0]}"
            )
            return "not placed"
    if isinstance(what, Fitting):
        pieces = Counter(
            (piece.low, min(piece.high, len(piece.placements)), tuple(sorted(map(len, piece.placements))))
            for piece in what.pieces
        )
        return what.locations, len(what.optional), _empty(what), pieces
    bounds = Counter(zip(what.low, what.high, strict=True))
    lengths = Counter(
        tuple(sorted((colour > 0, item < what.primary) for item, colour in _entries(what, option)))
        for option in range(len(what))
    )
    return what.primary, what.secondary, bounds, lengths


def _empty(fitting: Fitting) -> tuple[int, int]:
    optional = len(fitting.optional)
    return (0, optional) if fitting.empty is None else (fitting.empty[0], min(fitting.empty[1], optional))


def _entries(cover: ExactCover, option: int) -> list[tuple[int, int]]:
    span = range(cover.starts[option], cover.starts[option + 1])
    return [(cover.items[at], cover.colours[at]) for at in span]
