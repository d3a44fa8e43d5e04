"""A kind of generated puzzle: a record in the table of kinds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from puzzlec.diagnostics import PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.generators.effort import Effort

#: A value of an option.
Value = str | int | bool


@dataclass(frozen=True)
class Kind:
    """A kind of puzzle: its ``name``, the ``promise`` that each of its puzzles keeps, and its options with defaults.

    ``make`` returns the text of a puzzle, and its number of solutions. It makes at most ``attempts`` attempts.
    """

    name: str
    promise: str
    options: Mapping[str, Value]
    make: Callable[[Mapping[str, Value], Effort], tuple[str, int]]
    attempts: int = 20_000


def wrong(message: str, help: str = "") -> PuzzleError:
    """Return the error for an option of a kind (PZ226)."""
    return fail("PZ226", message, help=help or ())


def number_in(value: Value, low: int, high: int, name: str) -> int:
    """Return the number of an option; raise PuzzleError if it is not an integer in this range."""
    if not re.fullmatch(r"[0-9]{1,6}", str(value)) or not low <= int(value) <= high:
        raise wrong(f"`--{name}` must be an integer from {low} to {high}: found `{value}`")
    return int(value)


def sizes_in(value: Value, dimensions: tuple[int, ...], high: int) -> tuple[int, ...]:
    """Return the sizes of a box; raise PuzzleError for another text, or a size above ``high``."""
    sizes = tuple(map(int, str(value).split("x"))) if re.fullmatch(r"[0-9]{1,6}(x[0-9]{1,6})*", str(value)) else ()
    if len(sizes) not in dimensions or not all(1 <= size <= high for size in sizes):
        form = " or ".join("x".join(["4"] * number) for number in dimensions)
        raise wrong(f"`--size` must be like {form}, each number from 1 to {high}: found `{value}`")
    return sizes
