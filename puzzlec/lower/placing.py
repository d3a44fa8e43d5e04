"""Placing: from the pieces of a puzzle to all sets of locations that they can cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat

from puzzlec.diagnostics import Report, counted
from puzzlec.ir import Fitting, Piece, Placements, Puzzle, Rule, RuleKind
from puzzlec.ir.fitting import Colours, FittingPiece, with_placements
from puzzlec.ir.location import Address, address_name, address_text
from puzzlec.lower.board import Board, Tile, orientations

#: Maximum number of placements of a puzzle. This many take a few gigabytes and two minutes, and no search could use
#: more.
MAX_PLACEMENTS = 20_000_000

#: Cells of the largest placement that a suggestion lists.
MAX_CELLS_SUGGESTED = 8

#: Maximum number of locations that all placements cover together: they are numbered in 32 bits, with room for the
#: additional items of options.
MOST_ENTRIES = 1_000_000_000

#: Maximum number of placements of a piece, and the maximum number of pieces, that are kept for the next puzzle.
MAX_PLACEMENTS_KEPT = 5_000

#: The last board, and the placements there by the shape of the piece. In a sweep, many puzzles have the same board.
_LAST_BOARD: list[tuple[tuple[object, ...], dict[tuple[object, ...], tuple[Placements, tuple[Colours, ...]]]]] = []


def place(puzzle: Puzzle, report: Report | None = None) -> Fitting:
    """Return the fitting of a puzzle: its locations numbered, and all placements of each piece.

    A placement is a set of locations with the colours that the piece shows there; equal ones count once. Placements are
    in the order of the orientations, and for each orientation in the order of the anchor's location. Placement rules
    remove placements here. Raises PuzzleError if a ``fix`` matches no placement; if a ``forbid`` matches none, the
    report gets a warning.
    """
    report = report if report is not None else Report()
    board = Board(puzzle)
    _refuse_too_many(puzzle, report)
    number = {location.at: index for index, location in enumerate(puzzle.locations)}
    neighbours = board.neighbours() if any(piece.sides for piece in puzzle.pieces) else ()
    rules: dict[str, list[Rule]] = {}
    for rule in puzzle.rules.pieces:
        rules.setdefault(rule.piece, []).append(rule)
    pieces = []
    for piece in puzzle.pieces:
        piece_rules = rules.get(piece.name, [])
        made = _anywhere(board, piece, number, neighbours)
        if piece_rules:
            tiles = list(zip(made.placements, made.sides or repeat(()), strict=False))
            made = with_placements(made, _ruled(tiles, piece_rules, number, report, piece.high == 1))
        # A fixed copy must lie in its position, even if the piece was optional.
        low = max(piece.low, int(any(rule.kind is RuleKind.FIX for rule in piece_rules)))
        pieces.append(replace(made, low=low, high=max(low, piece.high), name=piece.name, span=piece.span))
    report.stop_on_errors()
    optional = frozenset(index for index, location in enumerate(puzzle.locations) if location.optional)
    fixed = [
        (tuple(sorted([number[at] for at in rule.region if at in number])), rule)
        for rule in puzzle.rules.pieces
        if rule.kind is RuleKind.FIX and puzzle.piece_named[rule.piece].high > 1
    ]
    if fixed:
        pieces = [_made_way(piece, fixed) for piece in pieces]
        optional -= {location for exact, _ in fixed for location in exact}
    fitting = Fitting(
        locations=len(puzzle.locations),
        pieces=tuple(pieces),
        optional=optional,
        empty=puzzle.rules.empty,
        neighbours=neighbours,
        mates=puzzle.colours.mates,
        crossings=board.crossings(),
        names=tuple(address_name(location.at) for location in puzzle.locations),
        title=puzzle.title,
        puzzle=puzzle,
    )
    if puzzle.costs:
        from puzzlec.lower.meeting import placed_costs

        fitting = replace(fitting, costs=tuple(placed_costs(puzzle, number, report)))
        report.stop_on_errors()
    if puzzle.rules.regions or puzzle.rules.meetings:
        from puzzlec.lower import meeting
        from puzzlec.lower.region_rules import joined, obeying

        ruled = [rule.on(sorted(number[at] for at in rule.region)) for rule in puzzle.rules.regions]
        region_rules = joined([*ruled, *meeting.region_rules(puzzle, report)])
        report.stop_on_errors()
        fitting = obeying(replace(fitting, region_rules=region_rules), report)
        report.stop_on_errors()
    return fitting


def _anywhere(
    board: Board, piece: Piece, number: Mapping[Address, int], neighbours: tuple[tuple[int, ...], ...]
) -> FittingPiece:
    """Return a piece with its placements before any rule, with the sides and colours that they show."""
    sides: tuple[tuple[str, ...], ...] = ()
    colours: tuple[Colours, ...] = ()
    if piece.sides:
        tiles = list(board.tiles(piece, neighbours))
        placements = Placements([locations for locations, _ in tiles])
        sides = tuple(colours_of_sides for _, colours_of_sides in tiles)
    elif piece.covers is None:
        placements, colours = _placed(board, piece)
    else:
        placements = Placements(dict.fromkeys(tuple(sorted(number[at] for at in cover)) for cover in piece.covers))
    if board.puzzle.rules.regions and not colours and any(piece.colours):
        colours = _shown(board.puzzle, piece, placements)
    return FittingPiece(placements, 0, 0, sides, colours=colours)


def _placed(board: Board, piece: Piece) -> tuple[Placements, tuple[Colours, ...]]:
    """Return the placements of a piece without rules; those of the last small board are kept for the next puzzle."""
    puzzle = board.puzzle
    here = (puzzle.lattice, puzzle.locations, puzzle.colours.allowed, puzzle.wraps)
    kept = next((kept for last, kept in tuple(_LAST_BOARD) if last == here), None)
    if kept is None:
        _LAST_BOARD[:] = [(here, kept := {})]
    shape = (piece.cells, piece.colours, piece.turns)
    if shape not in kept:
        placed = board.placed(piece)
        if len(placed[0]) > MAX_PLACEMENTS_KEPT or len(kept) >= MAX_PLACEMENTS_KEPT:
            return placed
        kept[shape] = placed
    return kept[shape]


def _shown(puzzle: Puzzle, piece: Piece, placements: Placements) -> tuple[Colours, ...]:
    """Return the colours that the placements of a piece show.

    The piece has only one colour, or always shows the colours of its locations.
    """
    if len(set(piece.colours)) > 1:
        return tuple([tuple([puzzle.locations[location].colour for location in row]) for row in placements])
    return tuple([(piece.colours[0],) * len(row) for row in placements])


def _made_way(piece: FittingPiece, fixed: Sequence[tuple[tuple[int, ...], Rule]]) -> FittingPiece:
    """Return a piece without the placements that overlap a fixed one, so that a copy must lie there.

    This fixes some copies of several: the others go elsewhere. ``fixed`` are the locations of each fixed copy.
    """
    at: dict[int, list[int]] = {}
    for index, (exact, _) in enumerate(fixed):
        for location in exact:
            at.setdefault(location, []).append(index)

    def lies_there(index: int, placement: tuple[int, ...], copy: int) -> bool:
        exact, rule = fixed[copy]
        return placement == exact and piece.name == rule.piece and rule.sides in ((), *piece.sides[index : index + 1])

    kept = [
        index
        for index, placement in enumerate(piece.placements)
        if at.keys().isdisjoint(placement)
        or all(lies_there(index, placement, copy) for location in placement for copy in at.get(location, ()))
    ]
    return piece if len(kept) == len(piece.placements) else with_placements(piece, kept)


def _refuse_too_many(puzzle: Puzzle, report: Report) -> None:
    """Refuse a puzzle whose placements would fill the memory."""
    if puzzle.lattice is None:
        return
    placements = len(puzzle.locations) * len(puzzle.lattice.isometries)
    cells = sum(len(piece.cells) for piece in puzzle.pieces)
    if placements * len(puzzle.pieces) <= MAX_PLACEMENTS and placements * cells <= MOST_ENTRIES:
        return
    number = entries = 0
    for piece in puzzle.pieces:
        if piece.covers is None:
            positions = len(orientations(piece, puzzle.lattice)) * len(puzzle.locations)
            number += positions
            entries += positions * len(piece.cells)
        if number > MAX_PLACEMENTS or entries > MOST_ENTRIES:
            covered = f", which cover up to {entries} locations in all" * (number <= MAX_PLACEMENTS)
            most = (
                f"{MAX_PLACEMENTS} of them at most"
                if covered == ""
                else f"{MOST_ENTRIES} locations in all of them at most"
            )
            report.add(
                "PZ325",
                f"too many placements: pieces up to `{piece.name}` have up to {number}{covered}",
                piece.span or puzzle.span,
                note=f"puzzlec lists all placements, {most}",
                file=puzzle.title,
            )
            raise report.error()


def _why_not(placements: list[Tile], kept: list[int], exact: tuple[int, ...]) -> str:
    """Return the note for locations on which a piece cannot be fixed: their number, or that no placement has them."""
    sizes = sorted({len(locations) for locations, _ in placements})
    if sizes and len(exact) not in sizes:
        covered = " or ".join(map(str, sizes)) if len(sizes) < 3 else f"{sizes[0]} to {sizes[-1]}"
        return f"the piece covers {covered} locations, found {len(exact)}"
    these = f"{'these' if len(exact) > 1 else 'this'} {counted(len(exact), 'location')}"
    return f"it has {counted(len(kept), 'placement')}, none on exactly {these}"


def _near(kept: list[tuple[int, ...]], exact: tuple[int, ...], number: Mapping[Address, int]) -> tuple[str, ...]:
    """Return the suggestion of the placement with the most of some locations, if it is short."""
    near = max(kept, key=lambda locations: len(set(exact).intersection(locations)), default=())
    cells = sorted((location, at) for at, location in number.items() if location in near and not isinstance(at, str))
    if not 0 < len(cells) <= MAX_CELLS_SUGGESTED or near == exact:
        return ()
    return (f"write `cells {' '.join(address_text(at) for _, at in cells)}`",)


def _ruled(
    placements: list[Tile], rules: list[Rule], number: dict[Address, int], report: Report, single: bool
) -> list[int]:
    """Return the numbers of the placements that all rules of a piece allow, ascending."""
    everything = {(locations, colours) for locations, sides in placements for colours in ((), sides)}
    kept = list(range(len(placements)))
    for rule in rules:
        region = {number[at] for at in rule.region if at in number}
        exact = tuple(sorted(region))
        if rule.kind is RuleKind.FIX:
            if (exact, rule.sides) not in everything:
                report.add(
                    "PZ316",
                    f"piece `{rule.piece}` cannot be fixed here" + (" in this orientation" if rule.sides else ""),
                    rule.span,
                    note=_why_not(placements, kept, exact),
                    help=_near([placements[k][0] for k in kept], exact, number),
                )
            if single:
                kept = [k for k in kept if placements[k][0] == exact and rule.sides in ((), placements[k][1])]
        elif rule.kind is RuleKind.FORBID:
            if (exact, rule.sides) not in everything:
                report.add(
                    "PZ317", f"piece `{rule.piece}` cannot lie here anyway", rule.span, help="remove the statement"
                )
            kept = [k for k in kept if placements[k][0] != exact or rule.sides not in ((), placements[k][1])]
        elif rule.kind is RuleKind.INSIDE:
            kept = [k for k in kept if region.issuperset(placements[k][0])]
        elif rule.kind is RuleKind.ON:
            kept = [k for k in kept if not region.isdisjoint(placements[k][0])]
        else:
            kept = [k for k in kept if region.isdisjoint(placements[k][0])]
    return kept
