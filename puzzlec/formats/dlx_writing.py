"""An exact cover as text for Knuth's programs DLX1, DLX2 and DLX3; see :mod:`puzzlec.formats.dlx` for the form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from puzzlec.engine.problem import ExactCover
from puzzlec.formats.dlx import NAME
from puzzlec.formats.dlx_colours import MOST, free_numbers, word_of
from puzzlec.formats.write_options import Choices
from puzzlec.ir import ANY
from puzzlec.lower.labels import Labelled, words

#: So many options make a chunk.
CHUNK = 2000


def write_dlx(what: Labelled, choices: Choices | None = None) -> Iterator[str]:  # noqa: ARG001
    """Give the text of an exact cover in chunks of lines: the items, then a line for each option.

    The first line lists the items, primary ones first, secondary ones behind a ``|``; ``low:high|`` stands before an
    item whose bounds are not 1 and 1. Blanks, ``|`` and ``:`` in names are written ``_``; a piece called like a
    location gets ``piece-`` before its name. Options that have names of their own have them in a remark on the line
    before.

    Two things that these programs cannot say are said in other words: "any number" is the number of options that have
    the item; and an item that may never be covered is covered once by an option of its own at the end, which an item
    behind the other primary ones forces. Where there is no primary item at all, one is added that need not be covered.
    """
    cover = what.cover
    names = list(words(what.items, r"[\s|:]"))
    low, high = list(cover.low), _upper_bounds(cover)
    never = [item for item in range(cover.primary) if high[item] == 0]
    added = [f"no-{names[item]}" for item in never] if cover.primary else ["none"]
    added = list(words([*names, *added]))[len(names) :]
    for item in never:
        low[item] = high[item] = 1
    heads = [_head(*each) for each in zip(names, low, high, strict=False)]
    heads.extend(added if cover.primary else [_head(added[0], 0, 1)])
    if cover.secondary:
        heads.extend(["|", *names[cover.primary :]])
    forced = [f"{names[item]} {own}\n" for item, own in zip(never, added, strict=False)]
    if cover.option_names:
        forced = [f"{NAME} {own}\n{line}" for own, line in zip(added, forced, strict=False)]
    return _chunks(what, " ".join(heads) + "\n", names, "".join(forced))


def _head(name: str, low: int, high: int) -> str:
    """Return an item with its bounds, as the line of items names it."""
    if low == high:
        return name if low == 1 else f"{low}|{name}"
    return f"{low}:{high}|{name}"


def _upper_bounds(cover: ExactCover) -> list[int]:
    """Return how often each primary item may be covered, as a number where it may be any."""
    high = list(cover.high)
    if ANY in high:
        times = [0] * (cover.primary + cover.secondary)
        for item in cover.items:
            times[item] += 1
        return [
            max(low, times[item], 1) if most == ANY else most
            for item, (low, most) in enumerate(zip(cover.low, high, strict=True))
        ]
    return high


def _chunks(what: Labelled, first: str, names: Sequence[str], last: str) -> Iterator[str]:
    """Give the first lines, the options, and the last lines."""
    cover = what.cover
    shades = _shades(cover)
    yield first
    for begin in range(0, len(cover), CHUNK):
        end = min(begin + CHUNK, len(cover))
        starts = cover.starts[begin : end + 1]
        base = starts[0]
        entries = [names[item] for item in cover.items[base : starts[-1]]]
        if shades:
            for entry, colour in enumerate(cover.colours[base : starts[-1]]):
                if colour:
                    entries[entry] += shades[colour]
        lines = [" ".join(entries[one - base : two - base]) for one, two in pairwise(starts)]
        if cover.option_names:
            remarks = (f"{NAME} {what.option(option)}".rstrip() for option in range(begin, end))
            lines = [line for both in zip(remarks, lines, strict=True) for line in both]
        yield "\n".join(lines) + "\n"
    if last:
        yield last


def _shades(cover: ExactCover) -> dict[int, str]:
    """Return what stands behind an item for each colour; nothing where there are no colours.

    It is their name, where they have one. Colours too great to be read again as they are get numbers that are free.
    """
    if cover.colour_names:
        return {colour: f":{word}" for colour, word in enumerate(words(cover.colour_names, r"[\s|:]"), 1)}
    used = set(cover.colours) - {0}
    great = sorted(colour for colour in used if colour > MOST)
    numbers = dict(zip(great, free_numbers(len(great), used), strict=True))
    return {colour: ":" + word_of(numbers.get(colour, colour)) for colour in used}
