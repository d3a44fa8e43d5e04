"""Whether some options are a cover: looked at by code that shares nothing with the engine.

For exact covers that were read as such and say more than pieces and locations can; all others are checked as solutions
of their fitting (:mod:`puzzlec.solution.checker`).
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.ir.cover import ExactCover
from puzzlec.solution.checker import WrongSolutionError


def fault_of_cover(cover: ExactCover, options: Sequence[int]) -> str | None:
    """Return why some options are no exact cover, None where they are one.

    Each primary item must be covered within its bounds; each secondary one at most once, or by options that
    all give it the same colour (TAOCP 7.2.2.1). Raises IndexError for an option that there is not.
    """
    if len(set(options)) != len(options):
        return f"option {next(each for each in options if list(options).count(each) > 1) + 1} is taken twice"
    often = [0] * (cover.primary + cover.secondary)
    colours: dict[int, int] = {}
    for option in options:
        cover.option_name(option)
        for item, colour in cover.entries(option):
            if item >= cover.primary and often[item] and (colour == 0 or colours[item] != colour):
                coloured = ", and not in the same colour" if colour or colours[item] else ""
                return f"item {cover.item_name(item)} is covered twice{coloured}"
            often[item] += 1
            colours[item] = colour
    for item in range(cover.primary):
        if not cover.low[item] <= often[item] <= cover.high[item]:
            times = "not covered" if not often[item] else f"covered {often[item]} times"
            return f"item {cover.item_name(item)} is {times}"
    return None


def check_cover(cover: ExactCover, options: Sequence[int]) -> None:
    """Raise WrongSolutionError, with the reason, unless these options are an exact cover."""
    fault = fault_of_cover(cover, options)
    if fault is not None:
        raise WrongSolutionError(fault)
