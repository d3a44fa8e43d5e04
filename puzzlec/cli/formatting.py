"""Solutions as the commands print them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Annotated

import typer

from puzzlec.cli.candidates import words
from puzzlec.cli.command import OUTPUT
from puzzlec.diagnostics import none_of
from puzzlec.ir import Fitting, Solution
from puzzlec.show import Style, draw_solution

FORMATS = ("text", "jsonl", "list", "orientations", "locations", "board")

SolutionFormat = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="text (default), board, list, jsonl, locations, orientations.",
        autocompletion=words(FORMATS),
        rich_help_panel=OUTPUT,
    ),
]


#: What is lost where a solution is told as the name of the piece on each location.
NOT_TOLD_APART = "copies are not told apart in this notation"


def what_is_lost(fitting: Fitting, format: str) -> str:
    """Return what a format does not tell of the solutions of a puzzle, nothing where it tells all."""
    if format == "board":
        from puzzlec.formats.solutions.board_text import letters

        told = zip(letters(fitting), map(fitting.piece_name, range(len(fitting.pieces))), strict=True)
        longer = ", ".join(f"{letter} {name}" for letter, name in told if letter != name)
        return f"letters of pieces: {longer}" if longer else ""
    if format != "locations":
        return ""
    names = Counter(fitting.piece_name(number) for number in range(len(fitting.pieces)))
    copied = any(
        (piece.high > 1 or names[fitting.piece_name(number)] > 1)
        and any(len(locations) > 1 for locations in piece.placements)
        for number, piece in enumerate(fitting.pieces)
    )
    return f"{NOT_TOLD_APART}: `--to list` does" if copied else ""


def refuse_unknown(format: str) -> None:
    """Raise typer.BadParameter for what is no format of solutions."""
    if format not in FORMATS:
        raise typer.BadParameter(none_of(format, FORMATS), param_hint="--to")


def refuse_unfit(fitting: Fitting, format: str) -> None:
    """Raise typer.BadParameter if the solutions of a puzzle cannot be printed in a format."""
    if format == "board":
        from puzzlec.formats.solutions.board_text import no_board_text

        if reason := no_board_text(fitting):
            raise typer.BadParameter(f"no board of text: {reason}", param_hint="--to")


def chosen_format(format: str, as_json: bool) -> str:
    """Return the format that ``--to`` and ``--json`` say together, which is short for `--to jsonl`.

    Raises typer.BadParameter where they say different things.
    """
    if as_json and format not in ("text", "jsonl"):
        raise typer.BadParameter("--json is short for --to jsonl: give one of them", param_hint="--json")
    return "jsonl" if as_json else format


def formatted(
    solution: Solution, number: int, format: str, look: Style, more: Mapping[str, object] | None = None
) -> str:
    """Return a solution in one of the :data:`FORMATS`; ``number`` is its place among those printed, from 1.

    ``more`` are further fields of a line of JSON.
    """
    if format == "jsonl":
        return json.dumps({"solution": number, **solution.as_dict(), **(more or {})}, separators=(",", ":"))
    if format == "list":
        return solution.listing() + "\n"
    if format == "orientations":
        return " ".join(",".join(map(str, chosen)) or "-" for chosen in solution.orientations)
    if format == "locations":
        return " ".join("-" if name is None else name for name in solution.names_on)
    if format == "board":
        from puzzlec.formats.solutions.board_text import board_text

        refuse_unfit(solution.fitting, format)
        return board_text(solution)
    return draw_solution(solution, look)
