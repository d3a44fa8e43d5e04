"""Questions about all solutions of a puzzle, answered with a decision diagram."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import typer

from puzzlec.cli.arguments import Clock, Question
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.options import refusing
from puzzlec.cli.properties import CHOSEN, LEVEL, NUMBERS, Wish, filters_of, show, tell, words_on
from puzzlec.cli.terminal import (
    MODE,
    ExitStatus,
    end,
    out,
    out_json,
    report_reasons,
    say,
    status_after,
    style,
)
from puzzlec.diagnostics import Report
from puzzlec.diagnostics.error import fail
from puzzlec.disassembling import check_symmetry
from puzzlec.engine import Limits, Stop, UnfinishedError
from puzzlec.engine.progress import Progress
from puzzlec.engine.search import selection
from puzzlec.ir import Solution
from puzzlec.language.comparisons import SolutionCondition, comparisons
from puzzlec.lower import Encoding
from puzzlec.motion.bodies import movable
from puzzlec.pipeline import check
from puzzlec.questions import every_solution
from puzzlec.show.terminal.lists import draw_often
from puzzlec.show.terminal.progress import Bar
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import counted_solutions

if TYPE_CHECKING:
    from puzzlec.solving.conditions import Condition
    from puzzlec.solving.every import EverySolution, SolutionsWhere


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


def answer_from_diagram(asked: Question, wish: Wish, where: list[str], saved: str | None, memory: int | None) -> None:
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
    number, shown = left.count, 0
    if wish.often and left:
        _show_often(left, wish)
    elif wish.shows:
        shown = show(encoding, wish, _chosen(left, number, wish))
    every_one = counted_solutions(every.count, "none")
    text = every_one if left is every else f"{number:,} of {every_one}"
    conditions = [condition.words] if condition is not None else []
    data = {"of": every.count, "convention": "raw"}
    tell(asked, wish, (shown, number), text, data, [*conditions, *words_on(compared, asked)])
    end(status_after(False, left))


def _selected(
    every: EverySolution, condition: Condition | None, filters: Iterable[Callable[[Solution], bool]]
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


def answer_from_search(asked: Question, wish: Wish, compared: list[SolutionCondition], memory: int | None) -> None:
    """Answer for the distinct solutions of a puzzle that come apart, or whose levels and properties meet conditions."""
    check_symmetry(asked.which, CHOSEN)
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
    number, shown = len(left), 0
    if wish.shows:
        shown = show(encoding, wish, _chosen(left, number, wish))
    least = "at least " if solutions.stopped else ""
    text = f"{least}{number:,} of {solutions.counted(solutions.number)}"
    data = {"of": solutions.number, "convention": solutions.convention}
    tell(asked, wish, (shown, number), text, data, words_on(compared, asked))
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
