"""The compiler on one screen: each arrow of the pipeline is one function, and the public calls join them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.diagnostics.diagnostic import fail
from puzzlec.engine import ExactCover, Limits, Search, Stop
from puzzlec.ir import Fitting, Puzzle, Solution
from puzzlec.lower import Encoding, encode, impossible, place, symmetry
from puzzlec.readers import catalogue, guess_format, open_source, read
from puzzlec.render import explain as explained
from puzzlec.solution import Representatives, representatives
from puzzlec.solution.checker import Checker
from puzzlec.writers import write, write_cover, write_fitting
from puzzlec.writers.canonical import formatted

Compiled: TypeAlias = Puzzle | Fitting | Encoding

#: What `emit` can show, in the order of the pipeline.
STAGES = ("ast", "puzzle", "fitting", "cover")


def load(
    name: str,
    format: str | None = None,
    board: str | None = None,
    report: Report | None = None,
    parameters: Mapping[str, int] | None = None,
) -> Puzzle | Fitting:
    """Return the puzzle in a file, on standard input (``-``), or of the catalogue by its name.

    ``format`` is taken from the file where it is None; ``board`` is needed for formats that hold pieces
    only; ``parameters`` are values for the puzzle's `param` statements. Raises PuzzleError with all faults;
    warnings go into the report.
    """
    return read(_source(name), format, report if report is not None else Report(), board, parameters)


def _source(name: str) -> Source:
    """Return the text of a file, of standard input, or of a puzzle of the catalogue."""
    path = name
    if name != "-" and not Path(name).exists():
        found = catalogue.find(name)
        if found is None and (("/" not in name and "." not in name) or catalogue.suggestions(name)):
            similar = catalogue.suggestions(name)
            help = (
                f"did you mean {' or '.join(f'`{each}`' for each in similar)}?"
                if similar
                else "`puzzlec list` names them"
            )
            raise fail("PZ006", f"there is no file and no puzzle of the catalogue called `{name}`", help=help)
        path = str(found or name)
    return open_source(path)


def parse(
    text: str, format: str = "puzzle", board: str | None = None, parameters: Mapping[str, int] | None = None
) -> Puzzle | Fitting:
    """Return the puzzle that a text describes; raise PuzzleError with all faults."""
    return read(Source("<text>", text), format, Report(), board, parameters)


def compile(what: Compiled | str, to: str = "cover", report: Report | None = None) -> Compiled:
    """Return a puzzle lowered to a level: ``puzzle``, ``fitting``, or ``cover`` with the meaning of its options.

    Raises PuzzleError where it cannot be lowered, ValueError for an unknown level or a higher one.
    """
    if isinstance(what, str):
        what = load(what, report=report)
    levels = ("puzzle", "fitting", "cover")
    if to not in levels:
        raise ValueError(f"there is no level {to!r}")
    if isinstance(what, Puzzle) and to != "puzzle":
        what = place(what, report)
    if isinstance(what, Fitting) and to == "cover":
        what = encode(what)
    if not isinstance(what, (Puzzle, Fitting, Encoding)[levels.index(to)]):
        raise ValueError(f"this is below the level {to!r} already")
    return what


def check(what: Compiled | str, report: Report) -> Fitting:
    """Return the fitting of a puzzle; faults, and reasons why it can have no solution, go into the report."""
    if isinstance(what, str):
        what = load(what, report=report)
    fitting = what.fitting if isinstance(what, Encoding) else compile(what, "fitting", report)
    assert isinstance(fitting, Fitting)
    impossible(fitting, report)
    return fitting


class Solutions:
    """The solutions of a puzzle: iterate them, one at a time, or count them.

    ``convention`` says what is counted: ``distinct`` solutions (up to the symmetries of the puzzle) or
    ``raw`` ones. Without geometry only the raw ones are known. Afterwards ``number``, ``nodes``,
    ``seconds`` and ``stopped`` (the limit that ended the search, None when it is complete) say how it went.
    ``reasons`` are diagnostics why there can be none; then nothing is searched.
    """

    def __init__(
        self,
        what: Compiled | str,
        raw: bool = False,
        limits: Limits | None = None,
        kernel: str = "auto",
        use_symmetry: bool = True,
    ) -> None:
        compiled = compile(what, "cover") if isinstance(what, str) or not isinstance(what, Encoding) else what
        assert isinstance(compiled, Encoding)
        self.encoding = compiled
        self.limits, self.kernel, self.use_symmetry = limits or Limits(), kernel, use_symmetry
        self.fitting = compiled.fitting
        geometric = self.fitting.puzzle is not None and self.fitting.puzzle.lattice is not None
        self.convention = "distinct" if geometric and not raw else "raw"
        report = Report()
        with suppress(PuzzleError):  # raised where there are more reasons than anybody wants to read
            impossible(self.fitting, report)
        self.reasons = tuple(report.diagnostics)
        self.number = self.nodes = 0
        self.seconds = 0.0
        self.stopped: Stop | None = None

    def __iter__(self) -> Iterator[Solution]:
        checker = Checker(self.fitting)
        for options in self._covers():
            solution = self.encoding.lift(options)
            checker.check(solution)
            self.number += 1
            yield solution
            if self.number == self.limits.solutions:
                self.stopped = Stop.SOLUTIONS
                return

    def _covers(self) -> Iterator[tuple[int, ...]]:
        if self.reasons:
            return
        if self.convention == "raw":
            yield from self._search(self.encoding.cover)
            return
        choice = representatives(self.encoding.cover, symmetry(self.encoding))
        yield from self._least(choice, list(choice.movers))

    def _search(self, cover: ExactCover) -> Iterator[tuple[int, ...]]:
        search = Search(cover, self._left(), self.kernel)
        try:
            yield from search
        finally:
            self._note(search)

    def _least(self, choice: Representatives, kept: list[int]) -> Iterator[tuple[int, ...]]:
        """Give one solution of each orbit, of those that take one of the kept options."""
        options = choice.options(kept)
        for found in self._search(self.encoding.cover.subset(options)):
            solution = tuple([options[each] for each in found])
            if choice.is_least(solution):
                yield solution

    def count(self) -> int:
        """Return the number of solutions, or of those found when a limit was reached."""
        if self.reasons:
            return 0
        cover = self.encoding.cover
        if self.limits.solutions is not None:
            for _ in self._covers():
                self.number += 1
                if self.number >= self.limits.solutions:
                    self.stopped = Stop.SOLUTIONS
                    break
        elif self.convention == "raw" and not self.use_symmetry:
            self.number = self._count(cover)
        else:
            choice = representatives(cover, symmetry(self.encoding))
            raw = self.convention == "raw"
            if choice.quiet or choice.order == 1:
                quiet = cover if choice.order == 1 else cover.subset(choice.options(choice.quiet))
                self.number = self._count(quiet) * (choice.order if raw else 1)
            if (choice.noisy or choice.item < 0) and choice.order > 1 and self.stopped is None:
                for solution in self._least(choice, choice.noisy):
                    self.number += choice.orbit_size(solution) if raw else 1
        return self.number

    def _count(self, cover: ExactCover) -> int:
        search = Search(cover, self._left(), self.kernel)
        try:
            return search.count()
        finally:
            self._note(search)

    def _left(self) -> Limits:
        """Return the limits that are left for another search; solutions are counted here, not there."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        return Limits(
            None,
            None if seconds is None else max(0.0, seconds - self.seconds),
            None if nodes is None else max(0, nodes - self.nodes),
        )

    def _note(self, search: Search) -> None:
        self.nodes += search.nodes
        self.seconds += search.seconds
        self.stopped = self.stopped or search.stopped


def solve(what: Compiled | str, raw: bool = False, limits: Limits | None = None, kernel: str = "auto") -> Solutions:
    """Return the solutions of a puzzle, to be iterated; leaving the loop ends the search."""
    return Solutions(what, raw, limits, kernel)


def count(what: Compiled | str, raw: bool = False, limits: Limits | None = None, kernel: str = "auto") -> int:
    """Return the number of solutions: distinct ones where the puzzle has geometry and ``raw`` is not asked for."""
    return Solutions(what, raw, limits, kernel).count()


def convert(what: Compiled | str, to: str) -> str:
    """Return a puzzle as a text in another format; raise PuzzleError for what that format cannot say."""
    if isinstance(what, str):
        what = load(what)
    return write(what.fitting if isinstance(what, Encoding) else what, to)


def reformat(text: str, name: str = "<text>") -> str:
    """Return a text in the puzzle language in its canonical form, which says the same and is laid out in one way.

    ``name`` is what diagnostics call the text. Raises PuzzleError with all faults of form.
    """
    return formatted(Source(name, text))


def explain(
    what: Compiled | str,
    report: Report | None = None,
    format: str | None = None,
    board: str | None = None,
    width: int = 80,
    parameters: Mapping[str, int] | None = None,
) -> str:
    """Return in words what the compiler understood of a puzzle, stage by stage; nothing is searched.

    Warnings, faults of placing and reasons why there can be no solution go into the report; the stages that
    they leave are told. Raises PuzzleError where the text cannot be read. ``format``, ``board`` and
    ``parameters`` are as in :func:`load`, where ``what`` is a name.
    """
    report = report if report is not None else Report()
    if isinstance(what, str):
        what = load(what, format, board, report, parameters)
    told = what.fitting if isinstance(what, Encoding) else what
    refuted = False
    with suppress(PuzzleError):  # the report has it all
        if isinstance(told, Puzzle):
            told = place(told, report)
        before = report.errors
        impossible(told, report)
        refuted = report.errors > before
    return explained(told, width, refuted)


def emit(
    what: Compiled | str,
    stage: str,
    report: Report | None = None,
    format: str | None = None,
    board: str | None = None,
    parameters: Mapping[str, int] | None = None,
) -> str:
    """Return a puzzle at one of the :data:`STAGES` as a text that shows all of it, the same for the same input.

    ``ast`` is the syntax tree of a ``.puzzle`` text, and needs its name; ``puzzle`` the puzzle in its
    language, ``fitting`` every placement by name, ``cover`` the exact cover as Knuth's programs write it.
    ``format``, ``board`` and ``parameters`` are as in :func:`load`. Raises PuzzleError where the puzzle cannot be
    read or brought to the stage, ValueError for an unknown stage.
    """
    if stage not in STAGES:
        raise ValueError(f"there is no stage {stage!r}")
    if stage == "ast":
        if not isinstance(what, str):
            raise ValueError("only a text has a syntax tree")
        return _syntax(_source(what), format)
    if isinstance(what, str):
        what = load(what, format, board, report, parameters)
    if stage == "puzzle":
        return convert(what, "puzzle")
    if stage == "fitting":
        fitting = what.fitting if isinstance(what, Encoding) else compile(what, "fitting", report)
        assert isinstance(fitting, Fitting)
        return write_fitting(fitting)
    encoding = compile(what, "cover", report)
    assert isinstance(encoding, Encoding)
    return write_cover(encoding)


def _syntax(source: Source, format: str | None) -> str:
    """Return the syntax tree of a text in the puzzle language."""
    name = format or guess_format(source)
    if name != "puzzle":
        raise fail(
            "PZ502",
            f"a text of the format `{name}` has no syntax tree",
            note="a tree is made of texts in the puzzle language only",
            help="look at a later stage: `--emit puzzle`, `--emit fitting` or `--emit cover`",
            file=source.name,
        )
    from puzzlec.readers.puzzle_text import syntax_tree

    return syntax_tree(source).pretty()


def solve_board(board: str, callback: Callable[[str, int, float, float], object]) -> int:
    """Fill a board of ``x`` and ``.`` with the twelve pentominoes, every raw solution in turn.

    The callback gets the filled board, the number of the solution from 1, the seconds for this one and
    the seconds in all; the search goes on while it answers with something true. Returns the number of
    solutions given.
    """
    puzzle = parse(board, "board")
    begun = last = time.perf_counter()
    number = 0
    for number, solution in enumerate(solve(puzzle, raw=True), 1):
        now = time.perf_counter()
        if not callback(str(solution) + "\n", number, now - last, now - begun):
            break
        last = now
    return number
