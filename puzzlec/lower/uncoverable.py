"""Reasons, found without a search, why an exact cover that was the input has no cover, in items and options."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from puzzlec.diagnostics import Report, counted
from puzzlec.engine.problem import ExactCover
from puzzlec.ir import ANY
from puzzlec.lower.covering import Encoding
from puzzlec.lower.parity import parity

#: Items named at most; further ones are counted.
MOST = 8


def uncoverable(encoding: Encoding, report: Report) -> None:
    """Add an error for each reason why no cover exists: items with too few options first, then sums over all."""
    cover, before = encoding.cover, report.errors
    _too_few_options(cover, report)
    if report.errors > before or not encoding.faithful:
        return
    in_front = sum(item >= 0 for item in encoding.item_of_piece)
    if in_front:
        _sizes(encoding, in_front, report)
    if report.errors == before:
        reason = parity(encoding.fitting, "item" if in_front else "option")
        if reason is not None:
            report.add("PZ405", reason.message, note=reason.notes)


def usable_options(cover: ExactCover) -> list[int]:
    """Return for each item the number of its options that can be in a cover: without items that are never covered.

    >>> usable_options(ExactCover.from_rows([[0, 1], [0]], 2, bounds=[(1, 1), (0, 0)]))
    [1, 0]
    """
    having = cover.options_of_items()
    usable = [len(options) for options in having]
    for option in {int(option) for item in range(cover.primary) if not cover.high[item] for option in having[item]}:
        for item in cover.row(option):
            usable[item] -= 1
    return usable


def _too_few_options(cover: ExactCover, report: Report) -> None:
    """Report items with fewer options than their lower bound."""
    needed = [item for item in range(cover.primary) if cover.low[item] > 0]
    if needed and not len(cover):
        report.add(
            "PZ406",
            f"there are no options, and {counted(len(needed), 'item')} must be covered",
            help="add options, each with the items that it covers",
        )
        return
    having = [len(options) for options in cover.options_of_items()]
    usable = usable_options(cover)
    bare = [item for item in needed if not having[item]]
    if bare:
        report.add(
            "PZ406",
            f"no option covers {_named(cover, bare)}",
            note="each primary item must be covered within its bounds"
            if any(cover.low[item] > 1 for item in bare)
            else "each primary item must be covered",
            help="add options for " + ("them" if bare[1:] else "it"),
        )
    short = [item for item in needed if having[item] and usable[item] < cover.low[item]]
    for item in short[:MOST]:
        often = counted(cover.low[item], "time")
        least = "" if cover.low[item] == cover.high[item] else "at least "
        gone = having[item] - usable[item]
        has = f"it has {counted(having[item], 'option')}"
        report.add(
            "PZ406",
            f"item `{cover.item_name(item)}` must be covered {least}{often}, but "
            + (f"only {usable[item] or 'none'} of its {having[item]} options can be chosen" if gone else has),
            note="the others have an item that is never covered" if gone else (),
        )
    if more := len(short[MOST:]):
        report.add("PZ406", f"{counted(more, 'more item')} {'has' if more == 1 else 'have'} too few options")


def _sizes(encoding: Encoding, in_front: int, report: Report) -> None:
    """Compare the number of items that the options cover with the number of items.

    The number of chosen options is known if each option has exactly one of the first items.
    """
    cover = encoding.cover
    least = most = few = many = 0
    for piece in encoding.fitting.pieces:
        sizes = _lengths(piece.placements.starts)
        if sizes:  # an item without options has no choice
            few, least = few + piece.low, least + min(sizes) * piece.low
            many, most = many + piece.high, most + max(sizes) * piece.high
    need, room = cover.primary - in_front, cover.primary + cover.secondary - in_front
    if least > room:
        message, bound, often = f"at least {least} of the other items, and there are {room}", "at least ", few
    elif most < need:
        message, bound, often = f"at most {most} of the other items, and {need} must be covered", "at most ", many
    else:
        return
    chosen = f"just one of the first {in_front} items" if in_front > 1 else f"the item `{cover.item_name(0)}`"
    number = ("" if few == many else bound) + counted(often, "option")
    told = f", so {number} {'is' if often == 1 else 'are'} chosen" if often < ANY else ""
    report.add(
        "PZ407",
        f"no cover: the options cover {message}",
        note=f"each option has {chosen}{told}",
    )


def _lengths(starts: Sequence[int]) -> set[int]:
    """Return how many locations the placements cover that begin and end there."""
    return {last - first for first, last in pairwise(starts)}


def _named(cover: ExactCover, items: Sequence[int]) -> str:
    """Return items in words: the first ones of many, the others counted."""
    names = [f"`{cover.item_name(item)}`" for item in items[:MOST]]
    if more := len(items[MOST:]):
        names.append(counted(more, "other"))
    *first, last = names
    return f"items {', '.join(first)} or {last}" if first else f"item {last}"
