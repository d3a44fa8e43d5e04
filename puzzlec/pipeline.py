"""The compiler on one screen: each arrow of the pipeline is one function, and the public calls join them.

What only some calls need is imported there: a start pays for what it uses (docs/decisions/014).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source, counted
from puzzlec.diagnostics.diagnostic import fail
from puzzlec.engine import ExactCover, Limits, Search, Stop
from puzzlec.engine.progress import Progress
from puzzlec.engine.selection import Choice
from puzzlec.ir import Fitting, Puzzle, Solution
from puzzlec.lower import Encoding, encode, place, symmetry
from puzzlec.readers import catalogue, guess_format, open_source, read
from puzzlec.solution import Representatives, representatives
from puzzlec.solution.checker import Checker

if TYPE_CHECKING:
    from puzzlec.engine.restarts import Restarts

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
    from puzzlec.lower import impossible

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
    ``seconds`` and ``stopped`` (the limit that ended the search, None when it is complete) say how it went,
    ``profile`` how many nodes there were on each level, ``choice`` which kernel searched, ``order`` and ``held``
    what was made of symmetries. :meth:`progress` may be asked on the way. ``reasons`` are diagnostics why there
    can be none: they are looked for when a search goes on for longer, or has found nothing. With a ``seed``,
    one solution is looked for by random searches, another one for another seed; it cannot be counted so.
    """

    def __init__(
        self,
        what: Compiled | str,
        raw: bool = False,
        limits: Limits | None = None,
        kernel: str = "auto",
        use_symmetry: bool = True,
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        compiled = compile(what, "cover") if isinstance(what, str) or not isinstance(what, Encoding) else what
        assert isinstance(compiled, Encoding)
        self.encoding = compiled
        self.limits, self.kernel, self.use_symmetry = limits or Limits(), kernel, use_symmetry
        self.threads, self.seed = threads, seed
        self.fitting = compiled.fitting
        geometric = self.fitting.puzzle is not None and self.fitting.puzzle.lattice is not None
        self.convention = "distinct" if geometric and not raw else "raw"
        self.reasons: tuple[Diagnostic, ...] = ()
        self.number = self.nodes = 0
        self.seconds = 0.0
        self.stopped: Stop | None = None
        self.profile: list[int] = []
        self.choice: Choice | None = None
        self.order: int | None = None
        self.held = ""
        self._begun: float | None = None
        self._examined = False
        self._search_now: Search | None = None
        self._restarts: Restarts | None = None
        self._each = 0  # how many solutions a cover that the search counts stands for
        self._part, self._past = 1.0, 0.0  # of the whole, the part that is searched now, and what is done already

    def __iter__(self) -> Iterator[Solution]:
        checker = Checker(self.fitting)
        self._begun = time.monotonic()
        for options in self._covers():
            solution = self.encoding.lift(options)
            checker.check(solution)
            self.number += 1
            yield solution
            if self.number == self.limits.solutions:
                self.stopped = Stop.SOLUTIONS
                return
        self._explain()

    def progress(self) -> Progress:
        """Return how far it has come, solutions counted as ``convention`` says; may be asked from any thread."""
        search, restarts = self._search_now, self._restarts
        if restarts is not None:
            seconds = time.monotonic() - restarts._begun
            return Progress(0.0, restarts.nodes, 0, seconds, restarts.nodes / max(seconds, 1e-3))
        if search is None:
            return Progress(self._past, self.nodes, self.number, self.seconds)
        now = search.progress()
        done = self._past + self._part * now.fraction
        # What other searches are still to come goes on like this one.
        left = now.left
        if left is not None and now.fraction > 0 and self._part > 0:
            left += now.seconds / now.fraction * max(0.0, 1 - self._past - self._part) / self._part
        found = self.number + self._each * now.solutions
        return Progress(done, self.nodes + now.nodes, found, self.seconds + now.seconds, now.rate, left)

    def _covers(self) -> Iterator[tuple[int, ...]]:
        if self.seed is not None:
            yield from self._at_random(self.seed)
            return
        if self.convention == "raw":
            yield from self._search(self.encoding.cover)
            return
        choice = self._representatives()
        yield from self._least(choice, list(choice.movers))

    def _at_random(self, seed: int) -> Iterator[tuple[int, ...]]:
        from puzzlec.engine.restarts import Restarts

        if not self._may_go_on():
            return
        self._restarts = Restarts(self.encoding.cover, seed, self._left())
        found = self._restarts.run()
        self._restarts = None
        self.nodes, self.seconds, self.stopped = found.nodes, found.seconds, found.stopped
        self.choice = Choice("restarts", f"random searches, begun anew {counted(found.restarts, 'time')}")
        if found.options is not None:
            yield found.options

    def _representatives(self) -> Representatives:
        cover = self.encoding.cover
        choice = representatives(cover, symmetry(self.encoding))
        self.order = choice.order
        if choice.item >= 0:
            self.held = (
                f"item {cover.item_name(choice.item)}, {len(choice.movers)} of its {len(choice.having)} options kept"
            )
        return choice

    def _begin(self, cover: ExactCover) -> Search:
        self._search_now = search = Search(cover, self._left(), self.kernel, self.threads, self._may_go_on)
        return search

    def _search(self, cover: ExactCover) -> Iterator[tuple[int, ...]]:
        search = self._begin(cover)
        try:
            yield from search
        finally:
            self._note(search)

    def _may_go_on(self) -> bool:
        """Whether a search that takes longer may find something: reasons why not are looked for first."""
        self._examine()
        return not self.reasons

    def _explain(self) -> None:
        """Look for reasons when a complete search has found nothing."""
        if not self.number and self.stopped is None:
            self._examine()

    def _examine(self) -> None:
        if not self._examined:
            from puzzlec.lower import impossible

            self._examined = True
            report = Report()
            with suppress(PuzzleError):  # raised where there are more reasons than anybody wants to read
                impossible(self.fitting, report)
            self.reasons = tuple(report.diagnostics)

    def _least(self, choice: Representatives, kept: list[int]) -> Iterator[tuple[int, ...]]:
        """Give one solution of each orbit, of those that take one of the kept options."""
        options = choice.options(kept)
        for found in self._search(self.encoding.cover.subset(options)):
            solution = tuple([options[each] for each in found])
            if choice.is_least(solution):
                yield solution

    def count(self) -> int:
        """Return the number of solutions, or of those found when a limit was reached."""
        self._begun = time.monotonic()
        cover = self.encoding.cover
        if self.limits.solutions is not None:
            for _ in self._covers():
                self.number += 1
                if self.number >= self.limits.solutions:
                    self.stopped = Stop.SOLUTIONS
                    break
        elif self.convention == "raw" and not self.use_symmetry:
            self._count(cover, 1)
        else:
            choice = self._representatives()
            raw = self.convention == "raw"
            if choice.quiet or choice.order == 1:
                quiet = cover if choice.order == 1 else cover.subset(choice.options(choice.quiet))
                self._part = len(choice.quiet) / max(1, len(choice.movers)) if choice.quiet else 1.0
                self._count(quiet, choice.order if raw else 1)
            if (choice.noisy or choice.item < 0) and choice.order > 1 and self.stopped is None:
                self._part = 1 - self._past
                for solution in self._least(choice, choice.noisy):
                    self.number += choice.orbit_size(solution) if raw else 1
        self._explain()
        return self.number

    def _count(self, cover: ExactCover, each: int) -> None:
        """Count covers, each of which stands for so many solutions."""
        search = self._begin(cover)
        self._each = each
        try:
            search.count()
        finally:
            self._each = 0
            self.number += each * search.solutions
            self._note(search)

    def _left(self) -> Limits:
        """Return the limits that are left for another search; solutions are counted here, not there."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        gone = 0.0 if self._begun is None else time.monotonic() - self._begun
        return Limits(
            None,
            None if seconds is None else max(0.0, seconds - gone),
            None if nodes is None else max(0, nodes - self.nodes),
        )

    def _note(self, search: Search) -> None:
        self._search_now = None
        self.nodes += search.nodes
        self.seconds += search.seconds
        self.stopped = self.stopped or search.stopped
        self._past += self._part * search.progress().fraction
        self.choice = search.choice
        self.profile = [sum(both) for both in zip_longest(self.profile, search.profile, fillvalue=0)]


def solve(
    what: Compiled | str, raw: bool = False, limits: Limits | None = None, kernel: str = "auto", threads: int = 1
) -> Solutions:
    """Return the solutions of a puzzle, to be iterated; leaving the loop ends the search."""
    return Solutions(what, raw, limits, kernel, threads=threads)


def count(
    what: Compiled | str, raw: bool = False, limits: Limits | None = None, kernel: str = "auto", threads: int = 1
) -> int:
    """Return the number of solutions: distinct ones where the puzzle has geometry and ``raw`` is not asked for."""
    return Solutions(what, raw, limits, kernel, threads=threads).count()


def convert(what: Compiled | str, to: str) -> str:
    """Return a puzzle as a text in another format; raise PuzzleError for what that format cannot say."""
    from puzzlec.writers import write

    if isinstance(what, str):
        what = load(what)
    return write(what.fitting if isinstance(what, Encoding) else what, to)


def reformat(text: str, name: str = "<text>") -> str:
    """Return a text in the puzzle language in its canonical form, which says the same and is laid out in one way.

    ``name`` is what diagnostics call the text. Raises PuzzleError with all faults of form.
    """
    from puzzlec.writers.canonical import formatted

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
    from puzzlec.lower import impossible
    from puzzlec.render import explain as explained

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
    from puzzlec.writers import write_cover, write_fitting

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
