"""The reader of `.puzzle` texts alone, for tests of single texts; all targets are in tests/tools/fuzz/targets.py."""

from __future__ import annotations

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.ir import Puzzle
from puzzlec.language.puzzle_text import read_puzzle
from tests.tools.fuzz.rules import Outcome, Said, accepted, refused, tried


def try_text(text: str) -> Outcome:
    """Read a text and return the outcome; ``wrong`` names the first broken rule and its place."""
    return tried(lambda: _read(text), len(text))


def _read(text: str) -> Said:
    source = Source("f.puzzle", text)
    warnings = Report()
    try:
        puzzle = read_puzzle(source, warnings)
    except PuzzleError as error:
        return refused(error, source)
    assert isinstance(puzzle, Puzzle), "the result is not a puzzle"
    assert puzzle.locations, "accepted without locations"
    assert puzzle.pieces, "accepted without pieces"
    return accepted(warnings.diagnostics, source)
