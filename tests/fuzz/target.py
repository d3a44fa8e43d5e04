"""The reader of `.puzzle` texts by itself, for tests of single texts; all targets are in tests/fuzz/targets.py."""

from __future__ import annotations

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.ir import Puzzle
from puzzlec.language.puzzle_text import read_puzzle
from tests.fuzz.rules import Outcome, Said, accepted, refused, tried


def try_text(text: str) -> Outcome:
    """Read a text and say what became of it; ``wrong`` names the first rule that is broken, and where."""
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
