"""Reasons, found without a search, why a puzzle has no solution, or an exact cover no cover.

A puzzle fails by volumes, colours, reach or parity; an exact cover by its items and options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from puzzlec.diagnostics import PuzzleError, Report, Span, counted, listed
from puzzlec.engine.problem import ExactCover
from puzzlec.ir import ANY, Fitting, Meeting, Puzzle, RegionRule, Rule
from puzzlec.ir.fitting import FittingPiece
from puzzlec.ir.location import Address, address_text
from puzzlec.lower.board import orientations
from puzzlec.lower.covering import Encoding
from puzzlec.lower.parity import parity
from puzzlec.lower.placing import place

#: A rule of a puzzle, of any kind.
AnyRule: TypeAlias = Rule | RegionRule[Address] | Meeting

#: Maximum number of statements with rules that are left out of a puzzle, one after another.
MAX_STATEMENTS_TRIED = 20

#: Maximum number of cells that all these trials place, for each piece, orientation and location. More take too long.
MAX_CELLS_PLACED = 20_000_000


def impossible(what: Fitting | Encoding, report: Report) -> None:
    """Add an error for each reason why a puzzle has no solution; volumes first, since they explain the most.

    The reasons name items and options if the input was an exact cover, else pieces and locations.
    """
    if isinstance(what, Encoding) and what.raised:
        uncoverable(what, report)
        return
    fitting = what.fitting if isinstance(what, Encoding) else what
    before = report.errors
    _volume(fitting, report)
    if fitting.puzzle is not None:
        _colours(fitting, fitting.puzzle, report)
    _fit_nowhere(fitting, report)
    if report.errors == before:
        _unreached(fitting, report)
    if report.errors == before:
        _parity(fitting, report)


def _sizes(fitting: Fitting, number: int) -> tuple[int, int]:
    """Return the minimum and maximum number of locations that a copy of a piece covers."""
    piece: FittingPiece = fitting.pieces[number]
    if fitting.puzzle is not None:
        return fitting.puzzle.pieces[number].sizes
    sizes = [len(placement) for placement in piece.placements]
    return min(sizes, default=0), max(sizes, default=0)


def _volume(fitting: Fitting, report: Report) -> None:
    """Compare the number of locations that the pieces cover with the number that must be covered."""
    least = most = 0
    for number, piece in enumerate(fitting.pieces):
        small, large = _sizes(fitting, number)
        least += small * piece.low
        most += large * piece.high
    optional = len(fitting.optional)
    spare = (0, optional) if fitting.empty is None else (fitting.empty[0], min(fitting.empty[1], optional))
    if spare[0] > optional:
        may = f"only {optional}" if optional else "none"
        report.add(
            "PZ401",
            f"at least {counted(spare[0], 'location')} must stay empty, but {may} may",
            fitting.puzzle.span if fitting.puzzle else None,
            note="`empty` counts only optional locations",
            help="add `optional locations ...`, or write `?` in a drawing",
            file=_file(fitting),
        )
        return
    need, room = fitting.locations - spare[1], fitting.locations - spare[0]
    span = fitting.puzzle.span if fitting.puzzle else None
    places = counted(fitting.locations, "location") + (f", {optional} of which may stay empty" if optional else "")
    if least > room:
        larger = least > fitting.locations
        report.add(
            "PZ401",
            "pieces are larger than the board" if larger else "pieces leave too few locations empty",
            span,
            places,
            note=f"pieces cover {'at least ' if most > least else ''}{counted(least, 'location')}, "
            f"{least - room} more than {'there are' if room == fitting.locations else 'may be covered'}",
            help=(_more_room(fitting), *_need_not_be_used(fitting)),
            file=_file(fitting),
        )  # fmt: skip
    elif most < need:
        report.add(
            "PZ401", "pieces do not fill the board", span, places,
            note=f"pieces cover {'at most ' if most > least else ''}{counted(most, 'location')}, "
            f"{need - most} fewer than must be covered",
            help=_fewer_to_cover(fitting.locations - most, optional),
            file=_file(fitting),
        )  # fmt: skip


def _fewer_to_cover(empty: int, optional: int) -> str:
    """Return the suggestion for too few cells, which leave this many locations empty."""
    if empty <= optional:
        return f"add pieces, or write `empty {empty}`"
    return "add pieces, or write `optional` before `locations`, if some locations may stay empty"


def _more_room(fitting: Fitting) -> str:
    """Return the suggestion for too many cells. Without a span, the format of the puzzle has no locations to change."""
    if fitting.puzzle is None or fitting.puzzle.span is not None:
        return "remove pieces, or add locations"
    return "choose smaller pieces, or change the locations: `puzzlec convert` writes a `.puzzle` file"


def _need_not_be_used(fitting: Fitting) -> tuple[str, ...]:
    """Return the suggestion for pieces that may be optional: without a lattice, or with one copy each."""
    if fitting.puzzle is None:
        return ()
    each_once = all(piece.low == piece.high == 1 for piece in fitting.pieces)
    optional = fitting.puzzle.lattice is None or each_once
    return ("write `piece A x0..1` for pieces that need not be used",) if optional else ()


def _colours(fitting: Fitting, puzzle: Puzzle, report: Report) -> None:
    """Compare, for each colour, the cells that need locations with the locations that need cells."""
    if any(piece.low != piece.high or piece.covers is not None for piece in puzzle.pieces):
        return  # the number of cells of a colour is unknown
    cells: Counter[str | None] = Counter()
    for piece in puzzle.pieces:
        for colour in piece.colours:
            cells[colour] += piece.low
    there = Counter(location.colour for location in puzzle.locations)
    needed = Counter(location.colour for location in puzzle.locations if not location.optional)
    for colour in sorted({cell for cell in (*cells, *there) if cell is not None}):
        homes = [home for home in there if home is None or home == colour or (colour, home) in puzzle.colours.allowed]
        room = sum(there[home] for home in homes)
        if cells[colour] > room:
            only = homes in ([], [colour])
            report.add(
                "PZ402",
                f"colour `{colour}` has {counted(room, 'location')}{'' if only else ' to lie on'}, "
                f"but the pieces have {counted(cells[colour], 'cell')} of it",
                puzzle.span,
                note=f"cells of colour `{colour}` without a location: {cells[colour] - room}",
                file=_file(fitting),
            )
        allowed = puzzle.colours.allowed
        guests = [guest for guest in cells if guest is None or guest == colour or (guest, colour) in allowed]
        brought = sum(cells[guest] for guest in guests)
        if needed[colour] > brought:
            only = guests in ([], [colour])
            report.add(
                "PZ402",
                f"colour `{colour}` has {counted(needed[colour], 'location')}, but the pieces have "
                f"{counted(brought, 'cell')}{' of it' if only else ' that may lie there'}",
                puzzle.span,
                note=f"locations of colour `{colour}` that stay empty: {needed[colour] - brought}",
                file=_file(fitting),
            )


def _fit_nowhere(fitting: Fitting, report: Report) -> None:
    """Report pieces without placements; those of one statement are one error."""
    puzzle = fitting.puzzle
    rules = {rule.piece for rule in puzzle.rules.pieces} if puzzle else set()
    if puzzle is not None and (puzzle.rules.regions or puzzle.rules.meetings):
        rules.update(piece.name for piece in puzzle.pieces)
    lost: dict[tuple[Span | None, bool], list[int]] = {}
    for number, piece in enumerate(fitting.pieces):
        if piece.low > 0 and not len(piece.placements):
            lost.setdefault((piece.span, piece.name in rules), []).append(number)
    for (span, ruled), numbers in lost.items():
        *first, last = [f"`{fitting.piece_name(number)}`" for number in numbers]
        why = _why_nowhere(fitting.puzzle, numbers[0])
        notes = [f"{first[0]}: {why}" if first else why] if why else []
        needed = needed_rules(puzzle, partial(_fits_nowhere, numbers=numbers)) if ruled and puzzle else []
        report.add(
            "PZ404",
            f"pieces {', '.join(first)} and {last} fit nowhere" if first else f"piece {last} fits nowhere",
            span or (fitting.puzzle.span if fitting.puzzle else None),
            others=[(rule.span, "the rule") for rule in needed],
            note=f"{rules_text(needed, 'exclude')} all placements" if ruled else notes,
            file=_file(fitting),
        )


def _fits_nowhere(puzzle: Puzzle, numbers: Sequence[int]) -> bool:
    """Return whether pieces with these numbers have no placements."""
    pieces = place(puzzle).pieces
    return not any(len(pieces[number].placements) for number in numbers)


def needed_rules(puzzle: Puzzle, fails: Callable[[Puzzle], bool]) -> list[AnyRule]:
    """Return the first rule of each statement of a smallest set of statements with which a puzzle ``fails``.

    Without any one of them, it does not fail. Empty if it fails without rules, or if trying its statements would take
    too long.
    """
    groups: dict[object, list[AnyRule]] = {}
    rules: list[AnyRule] = [*puzzle.rules.pieces, *puzzle.rules.regions, *puzzle.rules.meetings]
    for rule in rules:
        groups.setdefault(rule.span or rule, []).append(rule)

    def fails_with(keys: Sequence[object]) -> bool:
        kept = [rule for key in keys for rule in groups[key]]
        placing = tuple([rule for rule in kept if isinstance(rule, Rule)])
        region_rules = tuple([rule for rule in kept if isinstance(rule, RegionRule)])
        meetings = tuple([rule for rule in kept if isinstance(rule, Meeting)])
        with suppress(PuzzleError):
            rules = replace(puzzle.rules, pieces=placing, regions=region_rules, meetings=meetings)
            return fails(replace(puzzle, rules=rules))
        return False

    needed = [*groups]
    cells = sum(len(piece.turns) * len(piece.cells) for piece in puzzle.pieces) * len(puzzle.locations)
    is_long = len(needed) > MAX_STATEMENTS_TRIED or cells * (1 + len(needed)) > MAX_CELLS_PLACED
    if not groups or is_long or fails_with([]):
        return []
    for key in groups:
        rest = [other for other in needed if other != key]
        if fails_with(rest):
            needed = rest
    return [groups[key][0] for key in needed]


def _written(span: Span) -> str:
    """Return a span with the words of its statement before it: the span of a rule can be its region."""
    text = span.source.text
    return text[text.rfind("\n", 0, span.start) + 1 : span.end].lstrip()


def rules_text(rules: Sequence[AnyRule], verb: str) -> str:
    """Return rules as they are written, with a verb: "`no faults` leaves"."""
    texts = [_written(rule.span) if rule.span else getattr(rule, "words", "") for rule in rules]
    if not texts or not all(texts) or any("\n" in text for text in texts):
        return f"rules {verb}"
    *first, last = [f"`{text}`" for text in texts]
    return f"{', '.join(first)} and {last} together {verb}" if first else f"{last} {verb}s"


def _why_nowhere(puzzle: Puzzle | None, number: int) -> str:
    """Return the reason why a piece fits nowhere: its colours, its size or its form; "" if unknown."""
    if puzzle is None or not puzzle.locations or puzzle.pieces[number].covers is not None:
        return ""
    piece = puzzle.pieces[number]
    if piece.sides:
        return "each rotation shows a wrong colour on the border"
    plain = replace(piece, colours=(None,) * len(piece.cells))
    (anywhere,) = place(puzzle.alone(plain)).pieces
    if len(anywhere.placements):
        return "in every position a cell is on a location of another colour"
    lattice = puzzle.geometry.lattice
    extent, room = _extent([lattice.point(cell) for cell in piece.cells]), _extent(puzzle.points)
    turned = {_extent([point for point, _ in orientation]) for orientation in orientations(piece, lattice)}
    if not any(all(a <= b for a, b in zip(sizes, room, strict=True)) for sizes in turned):
        return f"its box is {_sizes_text(extent)}, the box of the locations {_sizes_text(room)}"
    return "no part of the board has its form"


def _extent(points: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the sizes of the smallest box around points."""
    return tuple(max(axis) - min(axis) + 1 for axis in zip(*points, strict=True))


def _sizes_text(sizes: tuple[int, ...]) -> str:
    return " x ".join(map(str, sizes))


def _file(fitting: Fitting) -> str:
    """Return the name of the text that a fitting was read from, if the puzzle or a piece has it, else the title."""
    spans = (fitting.puzzle.span if fitting.puzzle else None, *(piece.span for piece in fitting.pieces))
    return next((span.source.name for span in spans if span), fitting.title)


def _unreached(fitting: Fitting, report: Report) -> None:
    """Report required locations without a placement."""
    reached: set[int] = set(fitting.optional)
    for piece in fitting.pieces:
        if len(reached) == fitting.locations:
            return
        reached.update(piece.placements.locations)
    lost = [location for location in range(fitting.locations) if location not in reached]
    if not lost:
        return
    at = lost[0]
    more = f" and {counted(len(lost) - 1, 'other')}" if len(lost) > 1 else ""
    location = fitting.puzzle.locations[at] if fitting.puzzle else None
    where = address_text(location.at) if location else fitting.location_name(at)
    needed = needed_rules(fitting.puzzle, partial(_is_unreached, location=at)) if fitting.puzzle else []
    report.add(
        "PZ403",
        f"no placement covers location {where}{more}",
        location.span if location else None,
        others=[(rule.span, "the rule") for rule in needed],
        note=f"{rules_text(needed, 'exclude')} all placements there"
        if needed
        else "each location must be covered, or declared optional",
        file=_file(fitting),
    )


def _is_unreached(puzzle: Puzzle, location: int) -> bool:
    """Return whether no placement covers a location."""
    return not any(location in piece.placements.locations for piece in place(puzzle).pieces)


def _parity(fitting: Fitting, report: Report) -> None:
    """Report a colouring or weighing of the locations that proves that no solution exists."""
    reason = parity(fitting)
    if reason is not None:
        report.add("PZ405", reason.message, reason.span, note=reason.notes, file=_file(fitting))


#: Maximum number of items that are named; further ones are counted.
MAX_ITEMS_NAMED = 8


def uncoverable(encoding: Encoding, report: Report) -> None:
    """Add an error for each reason why no cover exists: items with too few options first, then sums over all."""
    cover, before = encoding.cover, report.errors
    _too_few_options(cover, report)
    if report.errors > before or not encoding.faithful:
        return
    in_front = sum(item >= 0 for item in encoding.item_of_piece)
    if in_front:
        _cover_sizes(encoding, in_front, report)
    if report.errors == before:
        reason = parity(encoding.fitting, "item" if in_front else "option")
        if reason is not None:
            report.add("PZ405", reason.message, note=reason.notes)


def usable_options(cover: ExactCover) -> list[int]:
    """Return for each item the number of its options that can be in a cover.

    An option with an item that is never covered cannot be in a cover.

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
    for item in short[:MAX_ITEMS_NAMED]:
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
    if more := len(short[MAX_ITEMS_NAMED:]):
        report.add("PZ406", f"{counted(more, 'more item')} {'has' if more == 1 else 'have'} too few options")


def _cover_sizes(encoding: Encoding, in_front: int, report: Report) -> None:
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
    front = f"just one of the first {in_front} items" if in_front > 1 else f"the item `{cover.item_name(0)}`"
    number = ("" if few == many else bound) + counted(often, "option")
    consequence = f", so {number} {'is' if often == 1 else 'are'} chosen" if often < ANY else ""
    report.add(
        "PZ407",
        f"no cover: the options cover {message}",
        note=f"each option has {front}{consequence}",
    )


def _lengths(starts: Sequence[int]) -> set[int]:
    """Return the different lengths of placements, each of which ends where the next one begins."""
    return {last - first for first, last in pairwise(starts)}


def _named(cover: ExactCover, items: Sequence[int]) -> str:
    """Return items in words: the first ones of many, the others counted."""
    names = listed((f"`{cover.item_name(item)}`" for item in items), "or", MAX_ITEMS_NAMED)
    return f"item{'s' * (len(items) > 1)} {names}"
