"""The solutions of best cost, for ``puzzlec solve``, and their numbers by cost, for ``puzzlec count``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from puzzlec.cli.arguments import Clock, read_by
from puzzlec.cli.certificate import Certify
from puzzlec.cli.deadline import searched
from puzzlec.cli.options import Option
from puzzlec.cli.progress import shown
from puzzlec.cli.showing import Showing, exit_after, summary
from puzzlec.cli.terminal import MODE, ExitStatus, end, out_json, out_table, report_reasons, say
from puzzlec.cli.verbose import report_stats, time_taken
from puzzlec.diagnostics.columns import aligned

if TYPE_CHECKING:
    from puzzlec.solving.costs import BestSolutions, CostCount, CountByCost

MinCost = Annotated[bool, Option("Find a solution of lowest cost.", name="--min-cost")]
MaxCost = Annotated[bool, Option("Find a solution of highest cost; with --best, N of them.", name="--max-cost")]
Best = Annotated[int | None, Option("Find the N solutions of lowest cost.", "N", name="--best", least=1)]
Cost = Annotated[
    tuple[int | None, int | None] | None,
    Option(
        "Count solutions by cost: 3..5, 4, 3.., ..5 or all.",
        "RANGE",
        name="--cost",
        parse=read_by("puzzlec.solving.costs.read_range"),
    ),
]


def show_best(solutions: BestSolutions, showing: Showing, progress: str, certify: Certify | None = None) -> None:
    """Search, print the solutions, the best first, and certify the best. Raises typer.Exit if the search stops."""
    with shown(progress, solutions.progress, f"{solutions.convention} solution", solutions.foresee) as bar:
        limit = showing.clock.bounded(grace=True)
        best, status = searched(solutions, lambda: list(solutions), solutions.found, limit)
        for solution in best:
            showing.show(solution, bar)
    sys.stdout.flush()
    if MODE.verbose:
        report_stats(solutions)
    ended = exit_after(lambda: _conclude(solutions, showing, status))
    if certify and status != ExitStatus.INTERRUPTED:
        certify(solutions, best, showing.clock)
    if ended:
        raise ended


def _conclude(solutions: BestSolutions, showing: Showing, status: ExitStatus) -> None:
    report_reasons(solutions.reasons)
    seconds = showing.clock.taken
    word = "highest" if solutions.max_cost else "lowest"
    best = [solution.cost for solution in solutions.first[:1]]
    more = summary(solutions, showing.clock)
    more |= {"best": best[0] if best else None, "bound": solutions.bound if solutions.stopped else None}
    if solutions.stopped:
        why = "interrupted" if status == ExitStatus.INTERRUPTED else "stopped"
        result = f"the {word} cost found is {best[0]}" if best else "no solution found"
        text = f"{why} after {seconds:.1f} s: {result}"
        if solutions.bound is not None:
            no_other = "no other" if best else "no"
            text += f", and {no_other} solution costs {'more' if solutions.max_cost else 'less'} than {solutions.bound}"
        say(text, False, **more)
    elif best:
        say(f"the {word} cost is {best[0]}: the search is complete, {time_taken(seconds)}", False, **more)
    elif not solutions.reasons:
        say(f"{solutions.nothing}: the search is complete", False, **more)
    end(status)


def count_costs(search: CountByCost, clock: Clock) -> None:
    """Count by cost, and print a row for each cost. Raises typer.Exit unless the count is complete and not 0."""
    rows, status = searched(search, search.find, search.known, clock.bounded(grace=True))
    stopped, solutions = search.stopped.words if search.stopped else "", search.solutions
    raw = sum(row.raw for row in rows)
    number = raw if stopped else sum(row.distinct or 0 for row in rows)
    seconds = clock.taken
    if MODE.json:
        for row in rows:
            out_json(row._asdict())
        # An unfinished search knows raw solutions only.
        kind = "raw" if stopped else solutions.convention
        ended = {"solutions": number, "convention": kind, "symmetry": solutions.symmetry, "complete": not stopped}
        out_json(ended | {"stopped": search.stopped, "nodes": search.nodes, "seconds": round(seconds, 3)})
    elif rows:
        _print(rows, solutions.convention == "distinct" and not stopped, bool(stopped))
    if stopped:
        say(f"{stopped} after {seconds:.1f} s: at least {number} raw solutions; there may be more")
    else:
        costs = "1 cost" if len(rows) == 1 else f"{len(rows)} different costs"
        nothing = f"{solutions.nothing} in this range of costs: the search is complete"
        say(f"{solutions.counted(number)} with {costs} {time_taken(seconds)}" if rows else nothing)
    end(status)


def _print(counts: list[CostCount], distinct: bool, unfinished: bool) -> None:
    """Print the numbers as a table. Those of an unfinished search are lower bounds."""
    head = ("cost", "distinct", "raw") if distinct else ("cost", "raw")
    more = ">=" if unfinished else ""
    rows = [head, *[(str(row.cost), *[str(row.distinct)] * distinct, f"{more}{row.raw}") for row in counts]]
    out_table(aligned(rows))
