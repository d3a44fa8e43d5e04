"""Solutions as the commands print them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import typer

from puzzlec.ir import Solution
from puzzlec.render import Style, draw_solution

FORMATS = ("text", "jsonl", "list", "orientations", "locations")


def refuse_unknown(format: str) -> None:
    """Raise typer.BadParameter for what is no format of solutions."""
    if format not in FORMATS:
        raise typer.BadParameter(f"{format} is none of {', '.join(FORMATS)}", param_hint="--format")


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
    return draw_solution(solution, look)
