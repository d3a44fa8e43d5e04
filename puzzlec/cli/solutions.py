"""``puzzlec solutions``: questions about all solutions of a puzzle, or the solutions in a checkpoint.

Conditions on numbers of solutions, the table of these numbers, and the solutions that are shown come first. All
solutions of a puzzle are answered with a decision diagram.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from random import Random
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from puzzlec.cli.arguments import Ascii, Clock, Force, Memory, QuestionOptions
from puzzlec.cli.candidates import puzzles_and_files
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.options import FILE, Argument, Option, refusing
from puzzlec.cli.output import new_file, tell_written
from puzzlec.cli.terminal import (
    MODE,
    ExitStatus,
    end,
    out,
    out_json,
    out_result,
    report_reasons,
    say,
    status_after,
    style,
    styled,
)
from puzzlec.cli.texts.lists import draw_often
from puzzlec.cli.texts.progress import Bar
from puzzlec.cli.texts.solutions import FORMATS, PropertyTable, formatted, what_is_lost
from puzzlec.cli.verbose import time_taken
from puzzlec.compiler import check
from puzzlec.diagnostics import Report
from puzzlec.diagnostics.error import fail
from puzzlec.disassembling import LEVEL, check_symmetry, filters_of
from puzzlec.engine import Limits, Stop, UnfinishedError
from puzzlec.engine.progress import Progress
from puzzlec.engine.search import selection
from puzzlec.formats.solutions.streams import StreamForm, form_of
from puzzlec.ir import Solution
from puzzlec.language.comparisons import SolutionCondition, comparisons, words_of
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.motion.bodies import movable
from puzzlec.questions import every_solution
from puzzlec.show.terminal.style import Style
from puzzlec.solving.properties import PROPERTIES
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import counted_solutions

if TYPE_CHECKING:
    from puzzlec.engine.cover_rows import Rows
    from puzzlec.jobs.streams import StoredSolutions
    from puzzlec.solving.conditions import FormulaCondition
    from puzzlec.solving.every import EverySolution, SolutionsWhere


#: The numbers of solutions that conditions compare.
NUMBERS = (LEVEL, *PROPERTIES)

#: What conditions on these numbers do.
CONDITION_PURPOSE = "choose solutions"


#: The format that only a file can have.
FILE_ONLY_FORMAT = "parquet"


@dataclass(kw_only=True, eq=False, repr=False)
class Wish:
    """The options for the solutions to show: with a format or a file and no number, all of them."""

    limit: Annotated[int | None, Option("Print the first N.", "N", least=1)] = None
    sample: Annotated[int | None, Option("Print N at random.", "N", least=1)] = None
    seed: Annotated[int, Option("Seed of the random choices.", "N", hidden=True)] = 0
    often: Annotated[bool, Option("Print how often each piece covers each location, in %.", name="--frequency")] = False
    is_table: Annotated[bool, Option("Print a table: how the pieces of each solution meet.", name="--table")] = False
    to: Annotated[
        str | None,
        Option(
            "Format: text, board, list, jsonl, locations, orientations; parquet with -o.",
            "FORMAT",
            name="--to",
            words=(*FORMATS, FILE_ONLY_FORMAT),
            panel=OUTPUT,
        ),
    ] = None
    output: Annotated[
        str | None, FILE.saying("Write to FILE: .jsonl or .parquet; .gz, .bz2, .xz, .zst.", name="-o, --output")
    ] = None
    force: Force = False
    ascii: Ascii = False

    @property
    def _format(self) -> str | None:
        is_json = MODE.json and self.output is None and (self.to is not None or self.often or self._chooses)
        return "jsonl" if self.is_table or is_json else self.to

    @property
    def _chooses(self) -> bool:
        return self.limit is not None or self.sample is not None

    @cached_property
    def form(self) -> StreamForm:
        """The format of the solutions."""
        with refusing("-o"):
            return StreamForm(self._format or "text") if self.output is None else form_of(self.output, self._format)

    @cached_property
    def table(self) -> PropertyTable | None:
        """The table to print."""
        return PropertyTable(MODE.json, styled) if self.is_table else None

    @property
    def shows(self) -> bool:
        """Whether solutions are shown, not only counted."""
        return self._chooses or (not self.often and (self._format is not None or self.output is not None))

    def told(self, printed: int, number: int) -> str:
        """Return how many of a number of solutions were shown, an empty text if none were requested."""
        if not self.shows:
            return ""
        which = "all" if printed >= number else f"the first {printed}" if self.sample is None else f"{printed}"
        return f", {which} of them {'printed' if self.output is None else 'written'}" if number else ""

    def drawn(self, solution: Solution, number: int) -> str:
        """Return a solution as printed or written."""
        if self.table is not None:
            return self.table.line(solution, number)
        look = style(self.ascii) if self.output is None else Style(ascii=self.ascii, width=100)
        return formatted(solution, number, self.form.format, look)


def tell(
    asked: QuestionOptions,
    wish: Wish,
    numbers: tuple[int, int],
    text: str,
    data: Mapping[str, object],
    compared: list[SolutionCondition],
    condition: str = "",
) -> None:
    """Print how many solutions there are, unless they were shown; the conditions; and the result in words.

    ``numbers``: of the shown solutions, and of all that meet the conditions.
    """
    printed, number = numbers
    if not wish.shows and not wish.often:
        out_result({"solutions": number, **data}, number)
    by_numbers = (words_of(compared) or "it comes apart") if compared or asked.comes_apart else ""
    for words in filter(None, (condition, by_numbers)):
        say(f"where {words}")
    say(f"{text} {time_taken(asked.taken)}{wish.told(printed, number)}")


def show(
    encoding: Encoding,
    wish: Wish,
    solutions: Iterable[Solution] = (),
    rows: Iterable[Rows] = (),
    about: Mapping[str, str] | None = None,
) -> int:
    """Print solutions, or write them to a file; return how many. ``rows`` are solutions as options, many at a time."""
    if lost := what_is_lost(encoding.fitting, wish.form.format):
        say(lost)
    from puzzlec.engine.cover_rows import tuples
    from puzzlec.formats.solutions.files import SolutionLines, writer

    number = 0
    if wish.output is not None:
        with (
            new_file(wish.output, wish.force) as path,
            writer(path, wish.form, encoding, wish.drawn, about) as file,
        ):
            for solution in solutions:
                file.write(solution)
                number += 1
            for part in rows:
                file.write_options(part)
                number += len(part)
        if MODE.json:
            tell_written(wish.output, wish.form.format, solutions=number)
        return number
    if wish.table is None and wish.form.format not in ("text", "board"):  # short lines are printed many at a time
        lines = SolutionLines(encoding, wish.form.format, wish.drawn)
        for part in rows:
            if len(part):
                out("\n".join(lines.texts(part, number + 1)))
            number += len(part)
        rows = ()
    lifted = (encoding.lift(options) for part in rows for options in tuples(part, len(encoding.cover)))
    for solution in chain(solutions, lifted):
        number += 1
        # A blank line separates pictures.
        out("\n" * (wish.form.format == "text" and number > 1) + wish.drawn(solution, number))
    return number


def built(encoding: Encoding, memory: int | None, clock: Clock) -> EverySolution:
    """Return all solutions, searched for within limits.

    A limit ends the command with status 4. A reason why the puzzle has no solution ends it with status 3, without a
    search.
    """
    begun = time.monotonic()
    need_numba()
    report = Report()
    check(encoding, report=report)
    report.stop_on_errors()
    now = Progress()

    def note(visited: int, nodes: int) -> None:
        nonlocal now
        seconds = time.monotonic() - begun
        now = Progress(0.0, visited, nodes, seconds, visited / max(seconds, 1e-3))

    try:
        with Bar(lambda: now, "diagram node", quiet=MODE.quiet):
            return every_solution(encoding, limits=Limits(seconds=clock.left, memory=memory), progress=note)
    except UnfinishedError as error:
        how_long = f"after {time.monotonic() - begun:.1f} s and {now.nodes} nodes"
        if error.reason is Stop.SECONDS:
            say(f"stopped {how_long}: the diagram of all solutions is incomplete")
        else:
            say(f"stopped {how_long}: {error}; a larger `--memory` may help")
        raise typer.Exit(ExitStatus.LIMIT) from None


def loaded(path: str, encoding: Encoding) -> EverySolution:
    """Return the solutions in a file, which may be damaged, or of another puzzle."""
    need_numba()
    try:
        with refusing("--solutions"):
            return every_solution(encoding, saved=path)
    except OSError as error:
        raise fail("PZ001", f"cannot read `{path}`: {(error.strerror or 'error').lower()}", file=path) from None


def need_numba() -> None:
    """Raise NumbaMissingError if numba is not installed."""
    selection.need_numba("the set of all solutions", "`puzzlec solve --all`")


def answer_from_diagram(
    asked: QuestionOptions, wish: Wish, where: list[str], saved: str | None, memory: int | None
) -> None:
    """Answer for all raw solutions of a puzzle."""
    with asked.bounded():
        encoding = asked.encoding()
        condition = None
        compared, where = comparisons(where, NUMBERS)
        if asked.comes_apart or any(condition.name == LEVEL for condition in compared):
            movable(encoding.fitting)
        if where:
            from puzzlec.solving.conditions import all_understood

            condition = all_understood(where, encoding)
    with asked.bounded(grace=True):
        every = loaded(saved, encoding) if saved is not None else built(encoding, memory, asked)
    left = _selected(every, condition, filters_of(encoding.fitting, compared, asked.comes_apart, asked.left, memory))
    number, printed = left.count, 0
    if wish.often and left:
        _show_often(left, wish)
    elif wish.shows:
        printed = show(encoding, wish, _chosen(left, number, wish))
    every_one = counted_solutions(every.count, "none")
    text = every_one if left is every else f"{number:,} of {every_one}"
    data = {"of": every.count, "convention": "raw"}
    tell(asked, wish, (printed, number), text, data, compared, condition.words if condition else "")
    end(status_after(False, left))


def _selected(
    every: EverySolution, condition: FormulaCondition | None, filters: Iterable[Callable[[Solution], bool]]
) -> EverySolution | SolutionsWhere:
    """Return the solutions that meet a condition and pass all filters."""
    left: EverySolution | SolutionsWhere = every
    if condition is not None:
        from puzzlec.solving.every import SolutionsWhere

        with refusing("--where"):
            left = SolutionsWhere(every, condition.formula)
    for fits in filters:
        try:
            left = left.where(fits)
        except UnfinishedError as error:
            say(f"{error.reason.words}: {error}")
            raise typer.Exit(ExitStatus.LIMIT) from None
    return left


def answer_from_search(
    asked: QuestionOptions, wish: Wish, compared: list[SolutionCondition], memory: int | None
) -> None:
    """Answer for the distinct solutions of a puzzle that come apart, or whose levels and properties meet conditions."""
    check_symmetry(asked.which, CONDITION_PURPOSE)
    with asked.bounded():
        encoding = asked.encoding()
    fits = filters_of(encoding.fitting, compared, asked.comes_apart, asked.left, memory)
    solutions = Solutions(encoding, limits=Limits(seconds=asked.left), symmetry=asked.which)
    left: list[Solution] = []
    try:
        with asked.bounded(grace=True):
            left.extend(solution for solution in solutions if all(fit(solution) for fit in fits))
    except (OutOfTime, UnfinishedError):
        solutions.stopped = Stop.SECONDS
    report_reasons(solutions.reasons)
    number, printed = len(left), 0
    if wish.shows:
        printed = show(encoding, wish, _chosen(left, number, wish))
    least = "at least " if solutions.stopped else ""
    text = f"{least}{number:,} of {solutions.counted(solutions.number)}"
    data = {"of": solutions.number, "convention": solutions.convention}
    tell(asked, wish, (printed, number), text, data, compared)
    end(status_after(solutions.stopped, left))


def _chosen(left: EverySolution | SolutionsWhere | list[Solution], number: int, wish: Wish) -> Iterator[Solution]:
    """Return the requested ones of a number of solutions; a random sample is the same as ``left.sample``."""
    if not (wish.sample and number):
        return islice(left, wish.limit)
    chance = Random(wish.seed)
    return (left[chance.randrange(number)] for _ in range(wish.sample))


def _show_often(left: EverySolution | SolutionsWhere, wish: Wish) -> None:
    """Print how often each piece covers each location: tables, or exact numbers as JSON, a line for each piece."""
    look = style(wish.ascii)
    fitting, often = left.fitting, left.occurrences
    rows = [
        (fitting.piece_name(number), covers, {"placements": often[number]})
        for number, covers in enumerate(left.coverage)
    ]
    if fitting.optional:
        rows.append(("empty", left.empty, {}))
    for number, (name, covers, more) in enumerate(rows):
        if wish.form.format == "jsonl":
            what = {"piece": name} if more else {"empty": True}
            out_json({**what, "of": left.count, "locations": covers, **more})
            continue
        if number:
            out()
        out(draw_often(fitting, name, covers, left.count, look))


_Words: TypeAlias = list[str] | None

#: Why options do not apply to the folder of a checkpoint.
_IN_FOLDER = "the folder of the checkpoint contains the puzzle"
_ITS_SOLUTIONS = "a checkpoint already has its solutions, so it needs no limit"


@dataclass(kw_only=True, eq=False, repr=False)
class Asked(QuestionOptions):
    """The options of a question about the solutions of a puzzle, or those in the folder of a checkpoint."""

    puzzle: Annotated[
        str,
        Argument("File, `-`, name in the catalogue, or folder of a checkpoint.", "PUZZLE", offered=puzzles_and_files),
    ]


def solutions(
    *,
    where: Annotated[_Words, Option('Condition, such as "X on corner".', "CONDITION")] = None,
    saved: Annotated[
        str | None, FILE.saying("Read the solutions from FILE, a diagram of `puzzlec convert`.", name="--solutions")
    ] = None,
    wish: Wish = Wish(),
    asked: Asked,
    memory: Memory = None,
) -> None:
    """Answer questions about all solutions of a puzzle.

    Without options, prints the number of solutions. For a puzzle, these are raw solutions; for a checkpoint, its
    stored solutions. With --comes-apart or a condition on `level`, --symmetry counts distinct solutions of a puzzle.

    Examples:
        puzzlec solutions pentominoes/6x10 --where 'X on border' --sample 2
        puzzlec solutions soma --frequency

    """
    if os.path.isdir(asked.puzzle):  # noqa: PTH112  # pathlib raises an error for a name that is too long
        for name, value, why in (
            ("--solutions", saved, "give the folder of a checkpoint, or a file of solutions"),
            ("--frequency", wish.often, "it needs a puzzle, not the folder of a checkpoint"),
            ("--memory", memory, _ITS_SOLUTIONS),
            ("--time-limit", asked.time, _ITS_SOLUTIONS),
            ("--param", asked.given, _IN_FOLDER),
            ("--from", asked.source, _IN_FOLDER),
            ("--board", asked.board, _IN_FOLDER),
            ("--problem", asked.problem, _IN_FOLDER),
        ):
            if value:
                raise typer.BadParameter(why, param_hint=name)
        answer_from_checkpoint(asked, wish, where or [])
        return
    symmetry = asked.symmetry
    compared, rest = comparisons(where or [], NUMBERS)
    if symmetry not in (None, "none") and (compared or asked.comes_apart) and not (rest or saved or wish.often):
        answer_from_search(asked, wish, compared, memory)
        return
    if symmetry not in (None, "none"):
        fault = "distinct solutions need a checkpoint: `puzzlec solve --all --quiet --checkpoint DIR`"
        raise typer.BadParameter(f"{fault} makes one, then `puzzlec solutions DIR`", param_hint="--symmetry")
    answer_from_diagram(asked, wish, where or [], saved, memory)


#: Seconds for counting the solutions after the shown ones.
COUNTING_SECONDS = 5.0


def answer_from_checkpoint(asked: QuestionOptions, wish: Wish, where: list[str]) -> None:
    """Answer for the solutions in the folder of a checkpoint."""
    which = asked.which if asked.raw or asked.symmetry else None
    from puzzlec.engine.cover_rows import limited, sampled
    from puzzlec.jobs.streams import StoredSolutions
    from puzzlec.solving.conditions import all_understood

    with StoredSolutions.open(asked.puzzle) as stored:
        compared, where = comparisons(where, NUMBERS)
        condition = all_understood(where, stored.encoding)
        answer = _StoredAnswer(stored, which)
        fits = filters_of(stored.fitting, compared, asked.comes_apart)
        if condition is None and not fits and answer.as_kept and not wish.shows:
            answer.number = stored.number
        else:
            rows = stored.chosen(which, condition.formula if condition else None)
            if fits:
                check_symmetry(answer.symmetry, CONDITION_PURPOSE)
                rows = _accepted(stored, rows, fits)
            counting = parts = answer.counting(rows)
            if wish.sample is not None:
                parts = iter([sampled(parts, wish.sample, wish.seed, stored.nothing)])
            elif wish.limit is not None:
                parts = limited(parts, wish.limit)
            if wish.shows:
                answer.shown = show(stored.encoding, wish, rows=parts, about=stored.about(answer.symmetry))
            answer.count_on(counting)
        data = {"of": stored.number, "kept": stored.symmetry, "complete": stored.complete, "symmetry": answer.symmetry}
        text = answer.summary(condition is None and not fits and answer.as_kept)
        tell(
            asked,
            wish,
            (answer.shown, answer.number),
            text,
            data,
            compared,
            condition.words + answer.turned if condition else "",
        )
        if not answer.number and stored.complete:
            end(ExitStatus.NO_SOLUTION)


def _accepted(stored: StoredSolutions, parts: Iterable[Rows], fits: list[Callable[[Solution], bool]]) -> Iterator[Rows]:
    """Yield the rows of solutions that pass all filters."""
    from puzzlec.engine.cover_rows import tuples

    for rows in parts:
        kept = [
            all(fit(solution) for fit in fits)
            for solution in (stored.encoding.lift(options) for options in tuples(rows, stored.nothing))
        ]
        if any(kept):
            yield rows[kept]


class _StoredAnswer:
    """The requested solutions; ``number`` counts them."""

    def __init__(self, stored: StoredSolutions, which: SymmetryKind | None) -> None:
        self.stored, self.symmetry = stored, which or stored.symmetry
        self.as_kept = self.symmetry == stored.symmetry
        self.number = self.shown = 0
        self.all_met = True
        puzzle = stored.fitting.puzzle
        if self.symmetry not in ("none", "automorphisms") and (puzzle is None or puzzle.lattice is None):
            say("a puzzle without geometry has no rotations: `--symmetry automorphisms` compares as an exact cover")
            self.symmetry = "none"

    @property
    def turned(self) -> str:
        """Return the remark that a condition may hold for a rotation or reflection of a solution."""
        if self.symmetry == "none":
            return ""
        turned = (
            "as kept, rotated or reflected" if self.symmetry == "all" else f"as kept or by --symmetry {self.symmetry}"
        )
        return f": each solution {turned}; `--raw` tests each image separately"

    def counting(self, parts: Iterable[Rows]) -> Iterator[Rows]:
        """Yield the same rows, and count them."""
        for rows in parts:
            self.number += len(rows)
            yield rows

    def count_on(self, parts: Iterator[Rows]) -> None:
        """Count the solutions after the shown ones, for at most :data:`COUNTING_SECONDS` seconds."""
        end = time.monotonic() + COUNTING_SECONDS if self.shown else float("inf")
        for _ in parts:
            if time.monotonic() >= end:
                self.all_met = False
                return

    def summary(self, everything: bool) -> str:
        """Return the result in words: the number of solutions, the number searched, and whether there may be more."""
        stored = self.stored
        text = kept = counted_solutions(stored.number, stored.symmetry)
        if not everything:
            text = f"{counted_solutions(self.number, self.symmetry)}, of {kept}"
        if self.as_kept and not everything:
            text = f"{self.number:,} of {kept}"
        text = text if self.all_met or everything else f"at least {text}"
        if stored.complete:
            return f"{text}, as requested; there may be more," if stored.limited else text
        return f"{text} so far: the search is not complete;"
