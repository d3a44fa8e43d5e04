"""Reasons, found without a search, why a puzzle has no solution: volumes, colours, reach, parity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from puzzlec.diagnostics import Report, Span, counted
from puzzlec.ir import Fitting, Puzzle
from puzzlec.ir.fitting import FittingPiece
from puzzlec.ir.puzzle import address_text
from puzzlec.lower.covering import Encoding
from puzzlec.lower.orientations import aspects
from puzzlec.lower.parity import parity
from puzzlec.lower.placing import place
from puzzlec.lower.uncoverable import uncoverable


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
    """Return the least and the greatest number of locations that a copy of a piece covers."""
    piece: FittingPiece = fitting.pieces[number]
    if fitting.puzzle is not None:
        return fitting.puzzle.pieces[number].sizes
    sizes = [len(each) for each in piece.placements]
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
            help=("remove pieces, or add locations", *_need_not_be_used(fitting)),
            file=_file(fitting),
        )  # fmt: skip
    elif most < need:
        report.add(
            "PZ401", "pieces do not fill the board", span, places,
            note=f"pieces cover {'at most ' if most > least else ''}{counted(most, 'location')}, "
            f"{need - most} fewer than must be covered",
            help="add pieces, or write `optional` before `locations`, if some locations may stay empty",
            file=_file(fitting),
        )  # fmt: skip


def _need_not_be_used(fitting: Fitting) -> tuple[str, ...]:
    """Return the suggestion for pieces that may be optional: without a lattice, or with one copy each."""
    if fitting.puzzle is None:
        return ()
    each_once = all(piece.low == piece.high == 1 for piece in fitting.pieces)
    meant = fitting.puzzle.lattice is None or each_once
    return ("write `piece A x0..1` for pieces that need not be used",) if meant else ()


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
    for colour in sorted({each for each in (*cells, *there) if each is not None}):
        homes = [each for each in there if each is None or each == colour or (colour, each) in puzzle.allowed]
        room = sum(there[each] for each in homes)
        if cells[colour] > room:
            only = homes in ([], [colour])
            report.add(
                "PZ402",
                f"colour `{colour}` has {counted(room, 'location')}{'' if only else ' to lie on'}, "
                f"but the pieces have {counted(cells[colour], 'cell')} of it",
                puzzle.span,
                note=f"{counted(cells[colour] - room, 'cell')} of colour `{colour}` have no location",
                file=_file(fitting),
            )
        guests = [each for each in cells if each is None or each == colour or (each, colour) in puzzle.allowed]
        brought = sum(cells[each] for each in guests)
        if needed[colour] > brought:
            only = guests in ([], [colour])
            report.add(
                "PZ402",
                f"colour `{colour}` has {counted(needed[colour], 'location')}, but the pieces have "
                f"{counted(brought, 'cell')}{' of it' if only else ' that may lie there'}",
                puzzle.span,
                note=f"{counted(needed[colour] - brought, 'location')} of colour `{colour}` stay empty",
                file=_file(fitting),
            )


def _fit_nowhere(fitting: Fitting, report: Report) -> None:
    """Report pieces without placements; those of one statement are one error."""
    puzzle = fitting.puzzle
    rules = {rule.piece for rule in puzzle.rules} if puzzle else set()
    if puzzle is not None and puzzle.region_rules:
        rules.update(piece.name for piece in puzzle.pieces)
    lost: dict[tuple[Span | None, bool], list[int]] = {}
    for number, piece in enumerate(fitting.pieces):
        if piece.low > 0 and not len(piece.placements):
            lost.setdefault((piece.span, piece.name in rules), []).append(number)
    for (span, ruled), numbers in lost.items():
        *first, last = [f"`{fitting.piece_name(number)}`" for number in numbers]
        why = _why_nowhere(fitting.puzzle, numbers[0])
        notes = [f"{first[0]}: {why}" if first else why] if why else []
        report.add(
            "PZ404",
            f"pieces {', '.join(first)} and {last} fit nowhere" if first else f"piece {last} fits nowhere",
            span or (fitting.puzzle.span if fitting.puzzle else None),
            note="rules exclude all placements" if ruled else notes,
            file=_file(fitting),
        )


def _why_nowhere(puzzle: Puzzle | None, number: int) -> str:
    """Return the reason why a piece fits nowhere: its colours, its size or its form; "" if unknown."""
    if puzzle is None or not puzzle.locations or puzzle.pieces[number].covers is not None:
        return ""
    piece = puzzle.pieces[number]
    assert puzzle.lattice is not None  # a piece without listed placements has a shape
    if piece.sides:
        return "each rotation shows a wrong colour on the border"
    plain = replace(piece, colours=(None,) * len(piece.cells))
    (anywhere,) = place(replace(puzzle, pieces=(plain,), rules=(), region_rules=())).pieces
    if len(anywhere.placements):
        return "in every position a cell is on a location of another colour"
    own, room = _extent([puzzle.lattice.point(cell) for cell in piece.cells]), _extent(puzzle.points)
    turned = {_extent([point for point, _ in aspect]) for aspect in aspects(piece, puzzle.lattice)}
    if not any(all(a <= b for a, b in zip(each, room, strict=True)) for each in turned):
        return f"its box is {_sizes_text(own)}, the box of the locations {_sizes_text(room)}"
    return "no part of the board has its form"


def _extent(points: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the sizes of the smallest box around points."""
    return tuple(max(axis) - min(axis) + 1 for axis in zip(*points, strict=True))


def _sizes_text(sizes: tuple[int, ...]) -> str:
    return " x ".join(map(str, sizes))


def _file(fitting: Fitting) -> str:
    """Return the name of the text of a fitting, if any part of it knows it, else its title."""
    spans = (fitting.puzzle.span if fitting.puzzle else None, *(piece.span for piece in fitting.pieces))
    return next((span.source.name for span in spans if span), fitting.title)


def _unreached(fitting: Fitting, report: Report) -> None:
    """Report required locations without a placement."""
    reached: set[int] = set(fitting.optional)
    for piece in fitting.pieces:
        reached.update(piece.placements.locations)
    lost = [location for location in range(fitting.locations) if location not in reached]
    if not lost:
        return
    at = lost[0]
    more = f" and {counted(len(lost) - 1, 'other')}" if len(lost) > 1 else ""
    location = fitting.puzzle.locations[at] if fitting.puzzle else None
    where = address_text(location.at) if location else fitting.location_name(at)
    report.add(
        "PZ403",
        f"no placement covers location {where}{more}",
        location.span if location else None,
        note="each location must be covered, or declared optional",
        file=_file(fitting),
    )


def _parity(fitting: Fitting, report: Report) -> None:
    """Report a colouring or weighing of the locations that proves that no solution exists."""
    reason = parity(fitting)
    if reason is not None:
        report.add("PZ405", reason.message, reason.span, note=reason.notes, file=_file(fitting))
