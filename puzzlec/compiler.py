"""The compiler: from a text to a puzzle, to an exact cover, or to a text in another format.

A module that only some functions need is imported inside them, to keep the start fast (docs/decisions/014).
"""

from __future__ import annotations

import logging
import os
import re
import time as clock
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args, overload

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import open_source
from puzzlec.engine.problem import ExactCover
from puzzlec.formats import catalogue
from puzzlec.formats.reading import AnyPuzzle, read
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import Encoding, encode, place

if TYPE_CHECKING:
    from puzzlec.formats.record import AtMostOne
    from puzzlec.language.upgrade import Change

_log = logging.getLogger(__name__)

#: The beginning of a text of the puzzle language, which cannot be the name of a file.
_STATEMENT = re.compile(r"\s*(?:puzzle|lattice|locations|optional locations|pieces?|colours)\s+\S")

#: A puzzle at any stage.
Compiled: TypeAlias = Puzzle | Fitting | Encoding | ExactCover

#: A puzzle at any stage, the name of one in the catalogue, or a file with one.
PuzzleOrName: TypeAlias = Compiled | str | Path

#: A stage of the compiler, from a puzzle to an exact cover.
StageName: TypeAlias = Literal["puzzle", "fitting", "cover"]
STAGES: tuple[StageName, ...] = get_args(StageName)


def load(
    name: str | Path,
    *,
    format: str | None = None,
    board: str | Path | None = None,
    report: Report | None = None,
    parameters: Mapping[str, int] | None = None,
    problem: str | None = None,
    pieces_alone: bool = False,
) -> AnyPuzzle:
    """Return a puzzle from a file, from standard input (``-``), or from the catalogue.

    The stage of the result depends on the format.

    Args:
        name: A file, ``-``, or a name of the catalogue.
        format: The format of the text. Default: detected.
        board: The board for formats without one: its sizes, or a file with its drawing.
        report: Collects warnings.
        parameters: Values for the puzzle's `param` statements.
        problem: Number or name of the puzzle in a file with several.
        pieces_alone: Leave the locations out, for formats without a board.

    Raises:
        PuzzleError: If the text has errors. The exception has all of them.

    >>> import puzzlec
    >>> puzzlec.load("pentominoes/3x20")
    <Puzzle "Pentominoes 3 x 20": lattice square, 60 locations, 12 pieces>

    """
    report = report if report is not None else Report()
    begun, source = clock.perf_counter(), source_named(name, report)
    what = read(source, format, report, _board(board), parameters, problem, pieces_alone)
    _log.debug("read %s in %.3f s: %s", source.name, clock.perf_counter() - begun, type(what).__name__)
    return what


def _board(given: str | Path | None) -> str | Source | None:
    """Return the text of the file that a board names, or else the board as it is given."""
    if isinstance(given, Path):
        return open_source(str(given))
    if given is None or re.fullmatch(r"[0-9xX\s]*", given) or not os.path.isfile(given):  # noqa: PTH113
        return given
    return open_source(given)


def source_named(name: str | Path, report: Report) -> Source:
    """Return the text of a file, of standard input, or of a puzzle of the catalogue.

    If a file has the same name as a puzzle of the catalogue, except for its extension, a warning names the file.
    """
    if not isinstance(name, (str, Path)):
        raise TypeError(f"expected a file or the name of a puzzle, found {type(name).__name__}")
    if isinstance(name, Path):
        return open_source(str(name))
    path = name
    if "\n" in name.strip() or _STATEMENT.match(name):
        raise fail(
            "PZ006",
            "expected the name of a puzzle, found the text of one",
            note=f"the text begins with `{name.strip().splitlines()[0][:40]}`",
            help="in Python, use `puzzlec.parse(text)`; for a command, write the text to a file",
        )
    if name != "-" and not os.path.exists(name):  # noqa: PTH110  # pathlib raises an error for a name that is too long
        entry_path = catalogue.find(name)
        if entry_path is None:
            fault = catalogue.unknown(name)
            if fault is not None:
                raise fault
        elif "/" not in name:
            catalogue.warn_of_a_file(name, entry_path, report)
        path = str(entry_path or name)
    return open_source(path)


@overload
def parse(
    text: str,
    *,
    format: Literal["puzzle"] = "puzzle",
    board: str | Path | None = None,
    parameters: Mapping[str, int] | None = None,
    problem: str | None = None,
) -> Puzzle: ...


@overload
def parse(
    text: str,
    *,
    format: str,
    board: str | Path | None = None,
    parameters: Mapping[str, int] | None = None,
    problem: str | None = None,
) -> AnyPuzzle: ...


def parse(
    text: str,
    *,
    format: str = "puzzle",
    board: str | Path | None = None,
    parameters: Mapping[str, int] | None = None,
    problem: str | None = None,
) -> AnyPuzzle:
    r"""Return the puzzle in a text.

    Args:
        text: The text.
        format: The format of the text.
        board: The board for formats without one: its sizes, or a file with its drawing.
        parameters: Values for the puzzle's `param` statements.
        problem: Number or name of the puzzle in a text with several.

    Raises:
        PuzzleError: If the text has errors. The exception has all of them.

    >>> parse("locations box 3x2\npiece D x3 { xx }", parameters={}).pieces[0].name
    'D'

    """
    if not isinstance(text, str):
        raise TypeError(f"expected the text of a puzzle, found {type(text).__name__}: `load` reads files")
    return read(Source("<text>", text), format, Report(), _board(board), parameters, problem)


@overload
def compile(what: PuzzleOrName, *, stage: Literal["puzzle"], report: Report | None = None) -> Puzzle: ...


@overload
def compile(what: PuzzleOrName, *, stage: Literal["fitting"], report: Report | None = None) -> Fitting: ...


@overload
def compile(what: PuzzleOrName, *, stage: Literal["cover"] = "cover", report: Report | None = None) -> Encoding: ...


@overload
def compile(what: PuzzleOrName, *, stage: StageName, report: Report | None = None) -> Compiled: ...


def compile(what: PuzzleOrName, *, stage: StageName = "cover", report: Report | None = None) -> Compiled:
    r"""Return a puzzle lowered to a stage: ``puzzle``, ``fitting``, or ``cover`` with the meaning of its options.

    An exact cover is raised to a fitting if possible. For the stage ``cover`` it is not changed, and gets a fitting
    that only names its options.

    Args:
        what: A puzzle, or the name of one.
        stage: The stage.
        report: Collects warnings.

    Raises:
        PuzzleError: If the puzzle cannot be lowered or raised.
        ValueError: If the stage is unknown or above that of the puzzle.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> puzzlec.compile(puzzle, stage="fitting")
    <Fitting "<text>": 6 locations, 1 pieces, 7 placements>
    >>> puzzlec.compile(puzzle).cover
    <ExactCover: 7 primary and 0 secondary items, 7 options, 21 entries>

    """
    if stage not in STAGES:
        raise ValueError(f"unknown stage {stage!r}: expected one of {', '.join(STAGES)}")
    if isinstance(what, (str, Path)):
        what = load(what, report=report)
    if not isinstance(what, (Puzzle, Fitting, Encoding, ExactCover)):
        raise TypeError(f"expected a puzzle or the name of one, found {type(what).__name__}")
    if isinstance(what, ExactCover) and stage != "puzzle":
        from puzzlec.lower.raising import encoded_cover, raised_cover

        what = encoded_cover(what) if stage == "cover" else raised_cover(what).fitting
    begun = clock.perf_counter()
    if isinstance(what, Puzzle) and stage != "puzzle":
        what = place(what, report)
        total = sum(len(piece.placements) for piece in what.pieces)
        _log.debug("placed in %.3f s: %d placements", clock.perf_counter() - begun, total)
    begun = clock.perf_counter()
    if isinstance(what, Fitting) and stage == "cover":
        what = encode(what)
        _log.debug("encoded in %.3f s: %s", clock.perf_counter() - begun, what.cover)
    if not isinstance(what, (Puzzle, Fitting, Encoding)[STAGES.index(stage)]):
        raise ValueError(f"cannot compile to the stage {stage!r}: this is below it already")
    return what


def check(what: PuzzleOrName, *, report: Report | None = None) -> Fitting:
    r"""Return the fitting of a puzzle. Add errors, and reasons why the puzzle has no solution, to the report.

    Without a report, raise PuzzleError with all problems if one of them is an error. Errors that end the compilation
    are always raised. In that case the report has the earlier errors. If the puzzle promises that it has no solution
    (`expect 0`), the reasons are no errors, and the report omits them.

    >>> report = Report()
    >>> fitting = check(parse("locations box 3x1\npiece D x2 { xx }"), report=report)
    >>> print(report.errors, report.diagnostics[0])
    1 <text>:1:1: error[PZ401]: pieces are larger than the board
    """
    from puzzlec.lower.impossibility import impossible

    if report is None:
        fitting = check(what, report=(problems := Report()))
        problems.stop_on_errors()
        return fitting
    if isinstance(what, (str, Path)):
        what = load(what, report=report)
    if isinstance(what, ExactCover):
        what = compile(what, report=report)
    compiled = what if isinstance(what, Encoding) else compile(what, stage="fitting", report=report)
    fitting = compiled.fitting if isinstance(compiled, Encoding) else compiled
    if not (fitting.puzzle is not None and any(promise.is_none for promise in fitting.puzzle.expected)):
        impossible(compiled, report)
    return fitting


def convert(what: PuzzleOrName, to: str, *, at_most_one: AtMostOne = "auto") -> str:
    r"""Return a puzzle as a text in another format, lowered or raised to the stage of this format.

    Args:
        what: A puzzle, or the name of one.
        to: The name of the format, as :func:`formats` lists it.
        at_most_one: The encoding in clauses.

    Raises:
        PuzzleError: If the format cannot express the puzzle.
        ValueError: If it is not a text format.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> print(puzzlec.convert(puzzle, "dlx").splitlines()[1])
    D 0,0 1,0

    """
    from puzzlec.formats.record import WriterChoices
    from puzzlec.formats.writing import write

    return write(load(what) if isinstance(what, (str, Path)) else what, to, WriterChoices(at_most_one))


def fmt(text: str, *, name: str = "<text>") -> str:
    r"""Return a text of the puzzle language in its canonical form, with the same meaning.

    Words of earlier versions become those of today.

    Args:
        text: The text.
        name: The name of the text in diagnostics.

    Raises:
        PuzzleError: If the text has syntax errors. The exception has all of them.

    >>> import puzzlec
    >>> print(puzzlec.fmt("locations   box 2x3\npiece D x3 {xx}"), end="")
    locations box 2x3
    piece D x3 { xx }

    """
    return reformatted(Source(name, text))[0]


def reformatted(source: Source) -> tuple[str, list[Change]]:
    """Return a text of the puzzle language in its canonical form, and the old forms that were rewritten."""
    from puzzlec.language.formatter.layout import formatted
    from puzzlec.language.upgrade import upgraded

    text, changes = upgraded(source.text)
    return formatted(Source(source.name, text)), changes
