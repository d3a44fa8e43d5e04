"""The checker of exact covers: it decides by counting whether a set of options is a cover.

It shares no code with the engine. For each item it counts the options that have it and compares their colours (TAOCP
7.2.2.1: XCC and MCC).
"""

from __future__ import annotations

from collections.abc import Iterable

from puzzlec.engine.problem import ExactCover


class WrongCoverError(AssertionError):
    """A claimed exact cover is wrong. The text says why."""


def check_cover(cover: ExactCover, options: Iterable[int]) -> None:
    """Raise WrongCoverError, with the reason, unless these options are an exact cover.

    Each option may be chosen once. Each primary item must be covered as often as its bounds say. A secondary item may
    be covered once, or by any number of options that all give it the same colour.

    >>> cover = ExactCover.from_rows([[0, (2, 1)], [1, (2, 1)], [1, (2, 2)]], primary=2, secondary=1)
    >>> check_cover(cover, [0, 1])
    >>> check_cover(cover, [0, 2])
    Traceback (most recent call last):
    ...
    puzzlec.engine.check.WrongCoverError: item 2 has different colours, from options 1 and 3
    """
    times = [0] * cover.primary
    by: dict[int, tuple[int, int]] = {}  # for each secondary item: the first option that has it, and its colour
    seen: set[int] = set()
    for option in options:
        if not 0 <= option < len(cover):
            raise WrongCoverError(f"unknown option {option + 1}")
        if option in seen:
            raise WrongCoverError(f"option {option + 1} is chosen twice")
        seen.add(option)
        for item, colour in cover.entries(option):
            if item < cover.primary:
                times[item] += 1
                continue
            first, before = by.setdefault(item, (option, colour))
            if first == option:
                continue
            what = f"item {cover.item_name(item)}"
            if not colour and not before:
                raise WrongCoverError(f"{what} is covered twice, by options {first + 1} and {option + 1}")
            if colour != before:
                raise WrongCoverError(f"{what} has different colours, from options {first + 1} and {option + 1}")
    for item, number in enumerate(times):
        if number < cover.low[item] or number > cover.high[item]:
            raise WrongCoverError(f"item {cover.item_name(item)} is covered {_often(number)}{_wanted(cover, item)}")


def _often(number: int) -> str:
    return {0: "by no option", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _wanted(cover: ExactCover, item: int) -> str:
    low, high = cover.low[item], cover.high[item]
    if (low, high) == (1, 1):
        return ""
    return (
        f", not {low} times"
        if low == high
        else f": its bounds are {low} and {high}"
        if high < 2**30
        else f", not {low} times or more"
    )
