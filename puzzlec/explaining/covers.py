"""An exact cover that was read as one, in words: its items and options, for ``explain``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from puzzlec.diagnostics import counted, listed
from puzzlec.diagnostics.columns import blocks_text, entry, table
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction.forcing import Forced
from puzzlec.explaining.findings import (
    Findings,
    forced_lines,
    found_alone,
    redundant_lines,
    search_blocks,
)
from puzzlec.ir import ANY
from puzzlec.lower.labels import Labelled

#: The longest lists of names, of lines in a summary, and of shown options.
MOST_NAMES, MOST_LINES, MOST_OPTIONS = 8, 5, 24

#: Maximum number of lines of items, and the maximum number of items of an option, that are shown.
MOST_ITEMS, MOST_ITEMS_OF_OPTION = 400, 40


def explain_cover(findings: Findings, width: int) -> str:
    """Return in words what was understood of an exact cover: items, options, which are scarce or forced, what is left.

    If an error already reports that no cover exists, the text has only the items and options. If the analysis also
    finds that no cover exists, the reason comes first.
    """
    encoding, reduction = findings.encoding, findings.reduction
    cover = encoding.cover
    labels = Labelled(cover)
    numbers = [len(options) for options in cover.options_of_items()]
    forced = found_alone(reduction)
    head = [_head(cover), *_items(labels, numbers, width), *_options(cover, width), *redundant_lines(encoding, width)]
    if forced.lost is not None:
        return blocks_text([["no cover", *_forced(labels, forced, width)], head])
    if findings.refuted:
        return blocks_text([head])
    blocks = [
        head,
        ["fewest options", *_scarce(labels, numbers)] if len(cover) else [],
        ["symmetries", *entry("not looked for:", _AUTOMORPHISMS, width)],
        *search_blocks(findings, _forced(labels, forced, width), width),
    ]
    return blocks_text(blocks)


_AUTOMORPHISMS = "`--symmetry automorphisms` of count and solve finds those of the exact cover"


def show_cover(cover: ExactCover) -> str:
    """Return a table of the items of an exact cover, and its first options."""
    labels = Labelled(cover)
    numbers = [len(options) for options in cover.options_of_items()]
    rows = min(len(cover), MOST_OPTIONS if len(cover) > MOST_OPTIONS + 1 else len(cover))
    lines = [f"  {_option(labels, option)}" for option in range(rows)]
    if rows < len(cover):
        lines.append(f"  and {counted(len(cover) - rows, 'other')}: `puzzlec explain --stage cover` gives them all")
    blocks = [
        [_head(cover), *_items(labels, numbers, 80)],
        ["items", *_table(labels, numbers)] if labels.items else [],
        ["options", *lines] if lines else [],
        [str(cover)],
    ]
    return blocks_text(blocks)


def _head(cover: ExactCover) -> str:
    return f'exact cover "{cover.title}"' if cover.title else "exact cover"


# Items


def _items(labels: Labelled, numbers: Sequence[int], width: int) -> Iterator[str]:
    """Yield the number of items, how often they are covered, and their possible colours."""
    cover = labels.cover
    secondary = f"{cover.secondary} secondary" if cover.secondary else "none secondary"
    yield from entry("items", f"{cover.primary} primary, {secondary}", width)
    groups: dict[str, list[int]] = {}
    for item, bounds in enumerate(zip(cover.low, cover.high, strict=True)):
        if bounds != (1, 1):
            groups.setdefault(_often(*bounds), []).append(item)
    for often, items in groups.items():
        yield from entry("", f"covered {often}: {_named(labels, items)}", width)
    for head, every in (("primary", range(cover.primary)), ("secondary", range(cover.primary, len(numbers)))):
        bare = [item for item in every if not numbers[item]]
        if bare and len(cover):
            yield from entry("", f"{head}, and covered by no option: {_named(labels, bare)}", width)
    head = "colours"
    shades: dict[tuple[str, ...], list[int]] = {}
    for item, names in _colours(cover).items():
        shades.setdefault(names, []).append(item)
    for names, items in islice(shades.items(), MOST_LINES):
        yield from entry(head, f"{listed(names, most=MOST_NAMES)} of {_named(labels, items)}", width)
        head = ""
    if len(shades) > MOST_LINES:
        more = sum(map(len, islice(shades.values(), MOST_LINES, None)))
        yield from entry("", f"{counted(more, 'other item')} also have colours", width)


def _often(low: int, high: int) -> str:
    """Return how often an item is covered, in words.

    >>> _often(2, 2), _often(0, ANY), _often(1, ANY), _often(0, 3), _often(1, 2), _often(0, 0)
    ('2 times', 'any number of times', 'at least once', 'at most 3 times', '1 to 2 times', 'never')
    """
    if high == 0:
        return "never"
    if high >= ANY:
        return f"at least {_times(low)}" if low else "any number of times"
    if low == high:
        return _times(low)
    return f"{low} to {high} times" if low else f"at most {_times(high)}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _colours(cover: ExactCover) -> dict[int, tuple[str, ...]]:
    """Return for each item with colours their names, sorted."""
    if not any(cover.colours):
        return {}
    names_of: dict[int, list[str]] = {}
    for item, colour in sorted({pair for pair in zip(cover.items, cover.colours, strict=True) if pair[1]}):
        names_of.setdefault(item, []).append(cover.colour_name(colour))
    return {item: tuple(sorted(names)) for item, names in names_of.items()}


def _named(labels: Labelled, items: Sequence[int]) -> str:
    """Return the names of items, the first ones of many."""
    return listed((f"`{labels.items[item]}`" for item in items), most=MOST_NAMES)


def _together(labels: Labelled, items: Sequence[int]) -> str:
    """Return the names of items, the first ones of many, with spaces between, since many names have commas."""
    first = items[:MOST_NAMES] if len(items) > MOST_NAMES + 1 else items
    text = " ".join(labels.items[item] for item in first)
    return text + (f" and {counted(len(items) - len(first), 'other')}" if len(first) < len(items) else "")


def _table(labels: Labelled, numbers: Sequence[int]) -> Iterator[str]:
    """Yield a table of all items; items with equal lines share one."""
    cover, colours = labels.cover, _colours(labels.cover)
    lines: dict[tuple[str, str, int, str], list[int]] = {}
    for item, number in enumerate(numbers):
        is_primary = item < cover.primary
        free = "by one colour" if item in colours else "at most once"
        often = _often(cover.low[item], cover.high[item]) if is_primary else free
        key = ("primary" if is_primary else "secondary", often, number, " ".join(colours.get(item, ("-",))))
        lines.setdefault(key, []).append(item)
    heads = ["item", "kind", "covered", "options", "colours"][: 5 if colours else 4]
    rows = [
        [_together(labels, items), kind, often, str(number), shades][: len(heads)]
        for (kind, often, number, shades), items in lines.items()
    ]
    yield from table(heads, rows[:MOST_ITEMS], ["kind", "covered", "colours"])
    if len(rows) > MOST_ITEMS:
        yield f"  and {counted(sum(map(len, list(lines.values())[MOST_ITEMS:])), 'other item')}"


def _scarce(labels: Labelled, numbers: Sequence[int]) -> Iterator[str]:
    """Yield a table of the items that must be covered and have the fewest options."""
    cover = labels.cover
    groups: dict[tuple[int, str], list[int]] = {}
    for item in sorted((item for item in range(cover.primary) if cover.low[item]), key=lambda number: numbers[number]):
        groups.setdefault((numbers[item], _often(cover.low[item], cover.high[item])), []).append(item)
    rows = [
        [_together(labels, items), often, str(number)] for (number, often), items in islice(groups.items(), MOST_LINES)
    ]
    if not rows:
        yield "  no item must be covered"
        return
    plain = all(often == "once" for _, often in groups)
    heads = ["item", "covered", "options"]
    yield from table(heads[::2] if plain else heads, [row[::2] if plain else row for row in rows], ["covered"])
    if len(groups) > MOST_LINES:
        more = list(islice(groups, MOST_LINES, None))
        others = counted(sum(len(groups[key]) for key in more), "other item")
        least, most = more[0][0], more[-1][0]
        yield f"  and {others} with {least if least == most else f'{least} to {most}'} options"


# Options


def _options(cover: ExactCover, width: int) -> Iterator[str]:
    """Yield the number of options, and how many items they have."""
    if not len(cover):
        yield from entry("options", "none", width)
        return
    sizes = Counter(last - first for first, last in pairwise(cover.starts))
    least, most = min(sizes), max(sizes)
    between = "or" if most == least + 1 else "to"
    size = counted(least, "item") if least == most else f"{least} {between} {most} items"
    entries = f"{len(cover.items)} {'entry' if len(cover.items) == 1 else 'entries'}"
    yield from entry("options", f"{len(cover)}, with {entries}; {size} in each", width)


def _option(labels: Labelled, option: int) -> str:
    """Return an option as its items, with its name before them, or its number from 0 if it has none."""
    cover = labels.cover
    entries = cover.entries(option)
    first = entries[:MOST_ITEMS_OF_OPTION] if len(entries) > MOST_ITEMS_OF_OPTION + 1 else entries
    items = " ".join(labels.items[item] + (f":{cover.colour_name(colour)}" if colour else "") for item, colour in first)
    items += f" and {counted(len(entries) - len(first), 'other item')}" if len(first) < len(entries) else ""
    return f"{labels.option(option) if cover.option_names else option}: {items}"


# What is forced


def _forced(labels: Labelled, forced: Forced, width: int) -> Iterator[str]:
    cover = labels.cover

    def reason(option: int, item: int) -> str:
        name = f"item `{labels.items[item]}`"
        why = f"nothing else covers {name}" if cover.high[item] == 1 else f"{name} needs every option that is left"
        return f"{_option(labels, option)}: {why}"

    def lost(item: int) -> str:
        often = f" {_often(cover.low[item], cover.high[item])}" if cover.high[item] != 1 else ""
        return f"item `{labels.items[item]}` cannot be covered{often}"

    impossible = _impossible(labels, forced)
    yield from forced_lines(forced, len(cover), ("problem", "option", "cover"), reason, lost, impossible, width)


def _impossible(labels: Labelled, forced: Forced) -> str:
    """Return how many options no cover has, and their names, if they are few."""
    cover = labels.cover
    text = f"impossible: {len(forced.impossible)} of {counted(len(cover), 'option')} cannot be in any cover"
    if len(forced.impossible) > MOST_NAMES:
        return text
    return f"{text}: {'; '.join(_option(labels, option) for option in forced.impossible)}"
