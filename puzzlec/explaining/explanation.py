"""The compiler's understanding of a puzzle, stage by stage, in words: the text of ``puzzlec explain``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import repeat
from math import factorial, prod
from typing import NamedTuple

from puzzlec.diagnostics import counted, listed
from puzzlec.diagnostics.columns import blocks_text, entry, table
from puzzlec.engine.reduction.forcing import Forced
from puzzlec.explaining.findings import (
    MOST_ITEMS,
    Findings,
    ItemMeaning,
    forced_lines,
    found,
    found_alone,
    redundant_lines,
    search_blocks,
    symmetry_lines,
    without_rules,
)
from puzzlec.geometry import Lattice
from puzzlec.ir import ANY, Fitting, Piece, Puzzle, Rule, RuleKind
from puzzlec.ir.fitting import FittingPiece
from puzzlec.ir.location import Address, address_text
from puzzlec.ir.puzzle import copies_text
from puzzlec.ir.rules import rule_groups
from puzzlec.lower import Encoding, number_of_orientations
from puzzlec.lower.covering import RULE
from puzzlec.lower.impossibility import rules_text
from puzzlec.lower.region_rules import option_text
from puzzlec.show.scene import around_text

#: The longest list of locations; longer ones are cut.
MOST_ADDRESSES = 8


def explain(what: Puzzle | Fitting | Findings, width: int = 80) -> str:
    """Return in words what was understood: puzzle, pieces, exact cover, symmetries, what is forced, what is left.

    A Puzzle could not be placed: the text says so, and has no stages after the pieces. If an error already reports that
    no solution exists, the text also ends there. If the analysis alone finds that no solution exists, the reason comes
    first.
    """
    if isinstance(what, Puzzle):
        bare = without_rules(what)
        blocks = [
            [f'puzzle "{what.title}"', *_puzzle(what, width)],
            ["pieces", *_pieces(what, None, bare, width)],
            ["The placements could not be listed, so the stages after them are not shown."],
        ]
        return blocks_text(blocks)
    findings = what if isinstance(what, Findings) else found(what)
    encoding, fitting, reduction = findings.encoding, findings.encoding.fitting, findings.reduction
    puzzle = fitting.puzzle
    forced = found_alone(reduction)
    blocks = [
        [f'puzzle "{fitting.title}"', *(_puzzle(puzzle, width) if puzzle else _bare(fitting, width))],
        ["pieces", *_pieces(puzzle, fitting, findings.bare, width)],
    ]
    if findings.refuted:
        return blocks_text(blocks)
    if forced.lost is not None:
        lines = [*_forced(encoding, forced, width)]
        if findings.needed_rules:
            lines += entry("", f"{rules_text(findings.needed_rules, 'leave')} no solution", width, 2)
        return blocks_text([["no solution", *lines], *blocks])
    blocks += [
        ["exact cover", *_cover(encoding, width)],
        list(symmetry_lines(findings, width)),
        *search_blocks(findings, _forced(encoding, forced, width), width),
    ]
    return blocks_text(blocks)


# The puzzle itself


def _puzzle(puzzle: Puzzle, width: int) -> Iterator[str]:
    lattice = puzzle.lattice
    if lattice is None:
        yield from entry("lattice", "none: locations have names, and placements are listed", width)
    else:
        group = f"{counted(len(lattice.rotations), 'rotation')}, {len(lattice.isometries)} with the reflections"
        yield from entry("lattice", f"{lattice.name}, with {group}", width)
    optional = sum(location.optional for location in puzzle.locations)
    yield from entry("locations", _locations(len(puzzle.locations), optional, puzzle.rules.empty), width)
    if puzzle.wraps:
        yield from entry("", f"wraps around: {around_text(puzzle.wraps)}", width)
    kinds = Counter(location.colour for location in puzzle.locations)
    painted = any(kinds) or any(any(piece.colours) for piece in puzzle.pieces)
    if painted:
        yield from entry("", f"by colour {_by_colour(kinds)}", width)
    sizes = [(piece.low, piece.high, *piece.sizes) for piece in puzzle.pieces]
    yield from entry("pieces", _volume(sizes), width)
    if painted:
        cells: Counter[str | None] = Counter()
        for piece in puzzle.pieces:
            for colour in piece.colours:
                cells[colour] += piece.low
        if all(piece.low == piece.high and piece.covers is None for piece in puzzle.pieces):
            yield from entry("", f"cells by colour {_by_colour(cells)}", width)
        yield from _colours(puzzle, width)
    if any(piece.sides for piece in puzzle.pieces):
        yield from _sides(puzzle, width)
    head = "rules"
    for rule in puzzle.rules.pieces:
        yield from entry(head, _rule(rule, puzzle), width)
        head = ""
    for where, (demand, *others) in rule_groups(puzzle.rules.regions):
        named = f"region {where}, " * bool(where)
        region = f"{where}, {len(others) + 1} regions" if others else f"{named}{_region(demand.region)}"
        yield from entry(head, f"{demand.words} on {region}", width)
        head = ""
    for meeting in puzzle.rules.meetings:
        where = f" {meeting.where} {_region(meeting.region)}" * bool(meeting.where)
        yield from entry(head, f"{meeting.words}{where}", width)
        head = ""
    yield from _roles(puzzle, width)


def _roles(puzzle: Puzzle, width: int) -> Iterator[str]:
    """Yield the pieces that never move, and those that may stay together, when the puzzle is taken apart."""
    walls = puzzle.movement.walls
    still = [f"{counted(len(walls), 'cell')} of walls"] * bool(walls) + list(puzzle.movement.immovable)
    if still:
        yield from entry("never move", ", ".join(still), width)
    for group in puzzle.movement.together:
        copies = [name if most >= ANY else f"{name} x{most}" for name, most in group]
        yield from entry("may stay", f"{' '.join(copies)} together", width)
    if puzzle.movement.turns_allowed:
        yield from entry("may turn", "all pieces that move", width)


def _bare(fitting: Fitting, width: int) -> Iterator[str]:
    """Yield the lines of a fitting that was not read as a puzzle."""
    yield from entry("lattice", "none: the text lists placements, so no geometry is known", width)
    text = _locations(fitting.locations, len(fitting.optional), fitting.empty)
    yield from entry("locations", text, width)
    sizes = [(piece.low, piece.high, *_sizes(piece)) for piece in fitting.pieces]
    yield from entry("pieces", _volume(sizes), width)


def _locations(number: int, optional: int, empty: tuple[int, int] | None) -> str:
    if not optional:
        return f"{number}, all to be covered" if number else "none"
    which = f"all {number}" if optional == number else f"{optional} of {number}"
    text = f"{which} may stay empty" if optional == number else f"{number}, {optional} of which may stay empty"
    if empty is None:
        return text
    low, high = empty
    limit = f"just {low} do" if low == high else f"at most {high} do" if low == 0 else f"{low} to {high} do"
    return f"{text}; {limit}"


def _by_colour(kinds: Counter[str | None]) -> str:
    order = sorted(kinds, key=lambda colour: (colour is None, colour or ""))
    return ", ".join(f"{'plain' if colour is None else colour}: {kinds[colour]}" for colour in order)


def _volume(sizes: list[tuple[int, int, int, int]]) -> str:
    """Return the number of pieces and how much they cover, from low, high, smallest and largest size of each."""
    if not sizes:
        return "none"
    least = sum(low * small for low, _, small, _ in sizes)
    endless = any(high >= ANY and large for _, high, _, large in sizes)
    most = sum(high * large for _, high, _, large in sizes if high < ANY)
    used = (sum(low for low, *_ in sizes), sum(high for _, high, *_ in sizes))
    if used == (len(sizes), len(sizes)):
        text = f"{len(sizes)}, each used once"
    else:
        low, high = used
        text = f"{len(sizes)}, used {'any number of times' if endless and not low else _span(low, high, endless)}"
        text += "" if endless and not low else " times in all"
    if endless and not least:
        return text
    return f"{text}; together they cover {_number_covered(least, most, endless)}"


def _span(low: int, high: int, endless: bool) -> str:
    return f"at least {low}" if endless else str(low) if low == high else f"{low} to {high}"


def _number_covered(low: int, high: int, endless: bool) -> str:
    """Return a range of a number of locations in words.

    >>> _number_covered(1, 1, False), _number_covered(2, 3, False), _number_covered(2, 0, True)
    ('1 location', '2 to 3 locations', 'at least 2 locations')
    """
    return f"{_span(low, high, endless)} location" + "s" * ((low, endless) != (1, False) or high != 1)


def _colours(puzzle: Puzzle, width: int) -> Iterator[str]:
    names, allowed = puzzle.colours.names, puzzle.colours.allowed
    yield from entry("colours", f"{' '.join(names)}: a cell fits its own colour and plain locations", width)
    for colour in names:
        more = [there for there in names if (colour, there) in allowed and there != colour]
        if more:
            yield from entry("", f"a cell of colour {colour} also fits {listed(more)}", width)


def _sides(puzzle: Puzzle, width: int) -> Iterator[str]:
    """Yield what the sides of tiles require of each other."""
    pairs = [f"{colour} meets {mate}" for colour, mate in puzzle.colours.mates if colour <= mate]
    text = "where tiles meet, their sides have the same colour"
    yield from entry("sides", f"{text}; but {listed(pairs)}" if pairs else text, width)
    if puzzle.colours.frame is not None:
        yield from entry("", f"sides at the border have the colour {listed(puzzle.colours.frame, 'or')}", width)


def _rule(rule: Rule, puzzle: Puzzle) -> str:
    name = puzzle.region_name(rule.region)
    region = f"`{name}` ({counted(len(rule.region), 'location')})" if name else _region(rule.region)
    where = region + (f", its sides {' '.join(rule.sides)}" if rule.sides else "")
    if rule.kind is RuleKind.ON:
        return f"`{rule.piece}` covers at least one of {where}"
    if rule.kind is RuleKind.INSIDE:
        return f"`{rule.piece}` lies inside {where}"
    if rule.kind is RuleKind.OFF:
        return f"`{rule.piece}` keeps off {where}"
    if rule.kind is RuleKind.FIX:
        several = puzzle.piece_named[rule.piece].high > 1
        return f"{'one copy of ' * several}`{rule.piece}` lies exactly on {where}"
    return f"`{rule.piece}` does not lie exactly on {where}"


def _region(region: tuple[Address, ...]) -> str:
    """Return a region as a box if it is one, else by its locations, the first ones of many."""
    if not region:
        return "an empty region"
    cells = {at for at in region if isinstance(at, tuple)}
    if len(cells) == len(region) > 3 and len({len(cell) for cell in cells}) == 1:
        low = tuple(min(axis) for axis in zip(*cells, strict=True))
        sizes = [max(axis) - start + 1 for axis, start in zip(zip(*cells, strict=True), low, strict=True)]
        if prod(sizes) == len(cells):
            return f"the box {'x'.join(map(str, sizes))} at {address_text(low)}"
    addresses = " ".join(address_text(at) for at in region[:MOST_ADDRESSES])
    return addresses if len(region) <= MOST_ADDRESSES else f"{len(region)} locations: {addresses} ..."


# The pieces


def _pieces(puzzle: Puzzle | None, fitting: Fitting | None, before: Fitting | None, width: int) -> Iterator[str]:
    """Yield a table of the pieces, equal lines as one, and remarks on their placements.

    ``before`` is the puzzle without its rules.
    """
    placed = fitting or before
    number = len(puzzle.pieces if puzzle else placed.pieces if placed else ())
    yield from _table([_piece(puzzle, placed, before, piece_number) for piece_number in range(number)])
    if fitting is None:
        yield from ["  These are the placements without the rules."] * (before is not None)
        return
    total = sum(len(piece.placements) for piece in fitting.pieces)
    started = sum(len(piece.placements) for piece in before.pieces) if before else total
    ruled = f"; the rules remove {started - total} of {started}" if started > total else ""
    yield f"  {counted(total, 'placement')} in all{ruled}"
    yield from _remarks(fitting, width)


class _PieceRow(NamedTuple):
    """A line of the table of pieces; a column that has the usual text in all lines is left out."""

    piece: str
    copies: str
    cells: str
    freedom: str
    orientations: str
    placements: str
    by_rules: str


_USUAL = _PieceRow("", "1", "", "listed", "-", "?", "0")


def _table(rows: list[_PieceRow]) -> Iterator[str]:
    lines: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        lines.setdefault(row[1:], []).append(row.piece)
    kept = [column for column in range(1, len(_USUAL)) if any(row[column] != _USUAL[column] for row in rows)]
    heads = [_PieceRow._fields[column].replace("_", " ") for column in (0, *kept)]
    yield from table(
        heads,
        [[", ".join(names), *(line[column - 1] for column in kept)] for line, names in lines.items()],
        ["freedom"],
    )


def _piece(puzzle: Puzzle | None, placed: Fitting | None, before: Fitting | None, number: int) -> _PieceRow:
    """Return the line of a piece; ``placed`` may be unknown, and ``before`` is None without rules."""
    described = puzzle.pieces[number] if puzzle else None
    lattice = puzzle.lattice if puzzle else None
    piece = placed.pieces[number] if placed else None
    small, large = described.sizes if described else _sizes(piece)
    freedom, turns = "listed", "-"
    if described is not None and lattice is not None and described.covers is None:
        freedom = _freedom(described, lattice)
        turns = str(number_of_orientations(described, lattice))
    bounds = described or piece
    removed = len(before.pieces[number].placements) - len(piece.placements) if before and piece else 0
    return _PieceRow(
        described.name if described else placed.piece_name(number) if placed else "",
        copies_text(bounds.low, bounds.high) if bounds else "",
        str(small) if small == large else f"{small} to {large}",
        freedom,
        turns,
        str(len(piece.placements)) if piece else "?",
        f"-{removed}" if removed else "0",
    )


def _freedom(piece: Piece, lattice: Lattice) -> str:
    freedom = lattice.freedom_of(piece.turns)
    return freedom.value if freedom else f"{len(piece.turns)} turns"


def _sizes(piece: FittingPiece | None) -> tuple[int, int]:
    sizes = [len(placement) for placement in piece.placements] if piece else []
    return min(sizes, default=0), max(sizes, default=0)


def _remarks(fitting: Fitting, width: int) -> Iterator[str]:
    nowhere = [f"`{fitting.piece_name(n)}`" for n, piece in enumerate(fitting.pieces) if not len(piece.placements)]
    if nowhere:
        yield from entry("remark", f"{listed(nowhere)} {'fit' if nowhere[1:] else 'fits'} nowhere", width)
    twins: dict[tuple[frozenset[object], bool, object], list[int]] = {}
    for number, piece in enumerate(fitting.pieces):
        described = fitting.puzzle.pieces[number] if fitting.puzzle is not None else None
        drawn = described is not None and described.covers is None
        # A red piece and a plain one are not copies, even if they have the same placements.
        colours = frozenset(Counter(described.colours).items()) if described is not None else None
        if len(piece.placements):
            colours_of = piece.sides or piece.colours or repeat(())
            same = frozenset(zip(piece.placements, colours_of, strict=False))
            twins.setdefault((same, drawn, colours), []).append(number)
    for (_, drawn, _), group in twins.items():
        if len(group) > 1:
            yield from entry("remark", _twins(fitting, group, "shape" if drawn else "placements"), width)


def _twins(fitting: Fitting, group: list[int], same: str) -> str:
    """Return a remark on pieces that could be copies of one."""
    pieces = [fitting.pieces[number] for number in group]
    names = listed([f"`{fitting.piece_name(number)}`" for number in group])
    low, high = sum(piece.low for piece in pieces), min(ANY, sum(piece.high for piece in pieces))
    ways = factorial(len(group))
    once = all((piece.low, piece.high) == (1, 1) for piece in pieces)
    times = ("twice" if ways == 2 else f"{ways} times") if once else "as different ones"
    return (
        f"{names} have the same {same}: solutions that swap them count {times}; "
        f"write one piece x{copies_text(low, high)} for copies"
    )


# The exact cover


def _cover(encoding: Encoding, width: int) -> Iterator[str]:
    cover, fitting = encoding.cover, encoding.fitting
    pieces = sum(item >= 0 for item in encoding.item_of_piece)
    primary = sum(0 <= item < cover.primary for item in encoding.item_of_location)
    parts = [counted(pieces, "piece")] * bool(pieces) + [counted(primary, "location")] * bool(primary)
    ruling = len(encoding.rules.primary) if encoding.rules else 0
    parts += ["1 for the number of empty locations"] * (cover.primary > pieces + primary + ruling)
    parts += [f"{ruling} for rules"] * bool(ruling)
    text = f"{cover.primary} primary{' (' * bool(parts)}{listed(parts)}{')' * bool(parts)}, "
    sides, crossings = len(encoding.item_of_side), len(encoding.item_of_crossing)
    ruled = len(encoding.rules.secondary) if encoding.rules else 0
    kinds = ["locations that may stay empty"] * (cover.secondary > sides + crossings + ruled)
    kinds += ["sides between tiles"] * bool(sides) + ["crossings"] * bool(crossings) + ["rules"] * bool(ruled)
    text += f"{cover.secondary} secondary ({listed(kinds)})" if cover.secondary else "none secondary"
    yield from entry("items", text, width)
    bounds = [copies_text(low, high) for low, high in zip(cover.low, cover.high, strict=True)]
    names = ItemMeaning.of(encoding).names
    odd = [f"{name} {bound}" for name, bound in zip(names, bounds, strict=False) if bound != "1"]
    if odd:
        yield from entry("", f"not covered just once: {listed(odd, most=MOST_ITEMS)}", width)
    free = [fitting.piece_name(number) for number, item in enumerate(encoding.item_of_piece) if item < 0]
    implied = encoding.rules.counted.implied.pieces if encoding.rules else frozenset()
    why = "the rules imply their number" if implied else "any number will do"
    if free:
        yield from entry("", f"none for {listed([f'`{name}`' for name in free])}: {why}", width)
    empty, ruled_options = encoding.piece.count(-1), encoding.piece.count(RULE)
    leave = f", {empty} of them to leave a location empty" if empty else ""
    leave += f", {ruled_options} of them for rules and costs" if ruled_options else ""
    yield from entry("options", f"{len(cover)}{leave}, with {len(cover.items)} entries", width)
    yield from redundant_lines(encoding, width)


# What is forced


def _forced(encoding: Encoding, forced: Forced, width: int) -> Iterator[str]:
    meaning = ItemMeaning.of(encoding)
    yield from forced_lines(
        forced,
        len(encoding.cover),
        ("puzzle", "placement", "solution"),
        lambda option, item: f"{_placement(encoding, option)}: {_reason(encoding, option, item)}",
        lambda item: _lost(encoding, item, meaning),
        _impossible(encoding, forced),
        width,
    )


def _lost(encoding: Encoding, item: int, meaning: ItemMeaning) -> str:
    """Return the impossible requirement if an item is lost."""
    if item in encoding.item_of_piece:
        often = " often enough" if encoding.cover.low[item] > 1 else ""
        return f"{meaning.names[item]} cannot be placed{often}"
    if item in encoding.item_of_location:
        return f"{meaning.names[item]} cannot be covered"
    return f"{meaning.names[item]} cannot be obeyed" if encoding.rules else "too few locations can stay empty"


def _placement(encoding: Encoding, option: int) -> str:
    number, index = encoding.piece[option], encoding.index[option]
    fitting = encoding.fitting
    if number == RULE and encoding.rules is not None:
        return option_text(encoding.rules, encoding.rules.options[index])
    if number < 0:
        return f"location {fitting.location_name(index)} stays empty"
    placement = fitting.pieces[number].placements.row(index)
    return f"{fitting.piece_name(number)} on {' '.join(map(fitting.location_name, placement)) or 'no location'}"


def _reason(encoding: Encoding, option: int, item: int) -> str:
    """Return why an item has no other option left."""
    if item in encoding.item_of_piece:
        once = encoding.cover.high[item] == 1
        return "it can lie nowhere else" if once else "its copies need every place that is left"
    if item in encoding.item_of_location:
        location = encoding.fitting.location_name(encoding.item_of_location.index(item))
        return "no placement reaches it" if encoding.piece[option] < 0 else f"nothing else covers {location}"
    return "nothing else is left" if encoding.piece[option] == RULE else "this many must stay empty"


def _impossible(encoding: Encoding, forced: Forced) -> str:
    """Return how many placements no solution has, and of which pieces."""
    fitting = encoding.fitting
    counts = Counter(encoding.piece[option] for option in forced.impossible)
    kept, _ = counts.pop(-1, 0), counts.pop(RULE, 0)
    total = sum(len(piece.placements) for piece in fitting.pieces)
    parts = [f"{fitting.piece_name(number)}: {counts[number]}" for number in sorted(counts)]
    text = (
        f"impossible: {counts.total()} of {counted(total, 'placement')} cannot be in any solution ({', '.join(parts)})"
    )
    text = text if parts else ""
    if kept:
        text += f"{'; ' * bool(text)}{counted(kept, 'location')} that may stay empty cannot"
    never = [n for n in sorted(counts) if counts[n] == len(fitting.pieces[n].placements)]
    return text + (f"; no solution uses {listed([f'`{fitting.piece_name(n)}`' for n in never])}" if never else "")
