"""``puzzlec solutions``: questions about all solutions at once, answered without searching again."""

from __future__ import annotations

import json
import time as clock
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from puzzlec.cli.arguments import (
    Ascii,
    Board,
    From,
    Memory,
    Parameters,
    Problem,
    PuzzleName,
    SolutionFormat,
    Time,
    time_left,
)  # fmt: skip
from puzzlec.cli.building import built, loaded
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.formatting import formatted, refuse_unknown, what_is_lost
from puzzlec.cli.input import encoded
from puzzlec.cli.restricting import restricted
from puzzlec.cli.stats import time_taken
from puzzlec.cli.terminal import out, say, style
from puzzlec.diagnostics import counted
from puzzlec.ir import Solution
from puzzlec.render.often import draw_often

if TYPE_CHECKING:
    from puzzlec.solution.every import EverySolution

_Words: TypeAlias = list[str] | None


def solutions(
    puzzle: PuzzleName,
    saved: Annotated[
        str | None, typer.Option(metavar="FILE", help="Take them from this file of `puzzlec compile --to zdd`.")
    ] = None,
    having: Annotated[
        _Words,
        typer.Option(
            "--with", metavar="PIECE[@WHERE]", help="Only those in which PIECE covers some location of WHERE."
        ),
    ] = None,
    lacking: Annotated[
        _Words,
        typer.Option("--without", metavar="PIECE[@WHERE]", help="Only those in which PIECE covers none of WHERE."),
    ] = None,
    inside: Annotated[
        _Words, typer.Option("--inside", metavar="PIECE@WHERE", help="Only those in which PIECE lies wholly in WHERE.")
    ] = None,
    empty: Annotated[
        _Words, typer.Option("--empty", metavar="WHERE", help="Only those in which all of WHERE stays empty.")
    ] = None,
    covered: Annotated[
        _Words, typer.Option("--covered", metavar="WHERE", help="Only those in which all of WHERE is covered.")
    ] = None,
    count: Annotated[
        bool, typer.Option("--count", help="Print how many there are; so it is without this, too.")
    ] = False,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Draw the first N.")] = None,
    sample: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Draw N at random, each equally likely.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random choices.")] = 0,
    often: Annotated[
        bool, typer.Option("--often", help="Show in how many per cent of them each piece covers each location.")
    ] = False,
    format: SolutionFormat = "text",
    ascii: Ascii = False,
    memory: Memory = None,
    time: Time = None,
    given: Parameters = None,
    source: From = None,
    board: Board = None,
    problem: Problem = None,
) -> None:
    """Answer questions about all raw solutions of a puzzle.

    How many there are, some of them at random, how often what lies where. WHERE is a location, several with blanks
    between, or a region as in the puzzle language. Solutions that are turned or mirrored others count.

    Example: puzzlec solutions pentominoes/6x10 --with "X@1,0" --sample 2
    """
    refuse_unknown(format)
    if count + (limit is not None) + (sample is not None) + often > 1:
        raise typer.BadParameter("give one of --count, --limit, --sample and --often")
    begun = clock.monotonic()
    encoding = encoded(puzzle, source, board, given, problem)
    every = loaded(saved, encoding) if saved is not None else built(encoding, memory, time_left(time, begun))
    asked = {"--with": having, "--without": lacking, "--inside": inside, "--empty": empty, "--covered": covered}
    left = restricted(every, asked)
    chosen = left.sample(sample, seed) if sample and left else islice(left, limit or 0)
    if often and left:
        _show_often(left, format, ascii)
    elif limit or sample:
        if lost := what_is_lost(every.fitting, format):
            say(lost)
        _show(chosen, format, ascii)
    elif not often:
        out(left.count)
    all_of_them = counted(every.count, "raw solution")
    taken = time_taken(clock.monotonic() - begun)
    say(f"{all_of_them} {taken}" if left is every else f"{left.count} of {all_of_them} {taken}")
    if not left:
        raise typer.Exit(ExitStatus.NO_SOLUTION)


def _show(chosen: Iterable[Solution], format: str, ascii: bool) -> None:
    look = style(ascii)
    for number, solution in enumerate(chosen, 1):
        if format == "text" and number > 1:
            out()
        out(formatted(solution, number, format, look))


def _show_often(left: EverySolution, format: str, ascii: bool) -> None:
    """Print how often each piece covers each location: tables, or exact numbers as JSON, a line for each piece."""
    look = style(ascii)
    rows = [
        (left.fitting.piece_name(number), covers, {"placements": left.occurrences[number]})
        for number, covers in enumerate(left.coverage)
    ]
    if left.fitting.optional:
        rows.append(("empty", left.empty, {}))
    for number, (name, covers, more) in enumerate(rows):
        if format == "jsonl":
            what = {"piece": name} if more else {"empty": True}
            out(json.dumps({**what, "of": left.count, "locations": covers, **more}, separators=(",", ":")))
            continue
        if number:
            out()
        out(draw_often(left.fitting, name, covers, left.count, look))
