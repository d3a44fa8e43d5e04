"""A puzzle in the puzzle language, in one canonical form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from math import prod

from puzzlec.diagnostics import PuzzleError, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.record import WriterChoices
from puzzlec.geometry import Cell, Freedom, Lattice
from puzzlec.geometry.drawing import DrawingRule, DrawingSpot, drawn_rule, rule_of
from puzzlec.geometry.regions import MAX_REGION_CELLS, RegionTooLargeError, box, grid, kinds_of
from puzzlec.ir import ANY, Condition, Cost, Fitting, Location, NamedRegion, Payer, Piece, Puzzle, RegionRule, RuleKind
from puzzlec.ir.location import Address
from puzzlec.ir.puzzle import cells_of, copies_mark, number_of
from puzzlec.ir.rules import COST_RELATIONS, PuzzleRules, count_words
from puzzlec.language.expressions import MAX_INTEGER
from puzzlec.language.spelling import addresses, drawing, listed, quoted, region_text
from puzzlec.lower import place
from puzzlec.lower.labels import different

#: Characters for colours whose names have several characters.
_SIGNS = "abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_RESERVED = set("#.x?{}/,")


def colour_signs(puzzle: Puzzle) -> dict[str, str]:
    """Return a sign for each colour: its name if the language allows it, else an unused character.

    Raises PuzzleError if there are more other names than characters.
    """
    names = {
        colour
        for colour in puzzle.colours.names
        if (len(colour) == 1 and colour not in _RESERVED) or number_of(colour) is not None
    }
    free = (sign for sign in _SIGNS if sign not in names)
    try:
        return {colour: colour if colour in names else next(free) for colour in puzzle.colours.names}
    except StopIteration:
        raise fail("PZ501", "too many colours for the characters of the puzzle language", puzzle.span) from None


#: Words after `cost` that a piece may have as its name: then it is written in quotes.
NOT_A_PAYER = (*[payer.value for payer in Payer if payer is not Payer.PIECE], *COST_RELATIONS)

#: Above this number of runs, locations are listed.
_MAX_RUNS = 3


def board(puzzle: Puzzle, signs: Mapping[str, str], letters: Mapping[Address, str] | None = None) -> Iterator[str]:
    """Yield the statements that make the locations of a puzzle, in order.

    ``signs`` are those of the colours, ``letters`` those of plain locations in a drawn region.
    """
    letters = letters or {}
    lattice = puzzle.lattice
    if lattice is None:
        yield from _listed(puzzle)
        return
    cells = cells_of(puzzle)
    plain = not any(location.colour or location.optional for location in puzzle.locations)
    region = _region(cells, lattice) if plain and cells and not letters else ""
    if region:
        yield f"locations {region}"
        return
    rule = rule_of(lattice)
    coloured = any(location.colour for location in puzzle.locations)
    if coloured and (rule is None or not rule.signs):
        raise fail(
            "PZ501", "the puzzle language supports colours only in drawings, and this lattice has none", puzzle.span
        )
    runs = list(_runs(puzzle.locations, rule)) if rule else []
    if rule is None or (len(runs) > _MAX_RUNS and plain and not letters):
        yield from _listed(puzzle)
        return
    for run in runs:
        drawn = {
            location.at: "?"
            if location.optional and location.colour is None
            else letters.get(location.at) or sign_of(location.colour, signs)
            for location in run
            if isinstance(location.at, tuple)
        }
        head = "optional locations" if all(location.optional for location in run) else "locations"
        yield from drawing(head, drawn, lattice, rule, place=True)


def _listed(puzzle: Puzzle) -> Iterator[str]:
    """Yield the statements that list the locations."""
    for may, group in groupby(puzzle.locations, key=lambda location: location.optional):
        yield f"{'optional ' * may}locations {listed([location.at for location in group])}"


def sign_of(colour: str | None, signs: Mapping[str, str]) -> str:
    """Return the sign of a cell's colour in a drawing."""
    sign = "x" if colour is None else signs[colour]
    return sign if len(sign) == 1 else f"{{{sign}}}"


def _region(cells: list[Cell], lattice: Lattice) -> str:
    """Return the box or the grid with exactly these cells in this order; None if there is none."""
    sizes = [max(axis) + 1 for axis in zip(*cells, strict=True)][: lattice.dimension]
    kinds = len(lattice.kinds)
    if min(sizes) > 0 and len(cells) == prod(sizes) * kinds:
        block = box(sizes)
        if cells == list(kinds_of(block, kinds) if kinds > 1 else block):
            return "box " + "x".join(map(str, sizes))
    if lattice.drawing == "sticks":
        columns, rows = (max(cell[axis] + (cell[2] == axis) for cell in cells) for axis in (0, 1))
        if min(columns, rows) >= 0 and _is_grid(cells, columns, rows):
            return f"grid {columns}x{rows}"
    return ""


def _is_grid(cells: list[Cell], columns: int, rows: int) -> bool:
    try:
        return cells == list(grid(columns, rows))
    except RegionTooLargeError:
        return False


def _runs(locations: Iterable[Location], rule: DrawingRule) -> Iterator[list[Location]]:
    """Yield the locations in runs that a drawing lists in exactly this order."""
    run: list[Location] = []
    mixed = shaded = False  # whether only a part of the run is optional; whether that part has a colour
    before = low = high = DrawingSpot(0, 0, 0)
    for location in locations:
        assert isinstance(location.at, tuple)
        spot = rule.spot(location.at)
        least, most = (DrawingSpot(*map(min, low, spot)), DrawingSpot(*map(max, high, spot))) if run else (spot, spot)
        # Cells far apart would make a drawing of dots.
        wide = prod(b - a + 1 for a, b in zip(least, most, strict=True)) > MAX_REGION_CELLS
        mixed = mixed or bool(run and run[-1].optional != location.optional)
        shaded = shaded or bool(location.colour and location.optional)
        # A coloured location that may stay empty has no separate sign, so its whole drawing must be optional.
        alike = not mixed or (rule.signs and not shaded)
        if run and (before >= spot or wide or not alike):
            yield run
            run, least, most = [], spot, spot
            mixed, shaded = False, bool(location.colour and location.optional)
        run.append(location)
        before, low, high = spot, least, most
    if run:
        yield run


def raised(fitting: Fitting) -> Puzzle:
    """Return a fitting as a puzzle without geometry: named locations and listed placements.

    Raises PuzzleError for pieces with sides, because these are geometry.
    """
    if fitting.crossings:
        raise fail("PZ501", "a list of placements does not support pieces that must not cross", file=fitting.title)
    if fitting.neighbours:
        raise fail("PZ501", "a list of placements does not support coloured sides", file=fitting.title)
    for piece in fitting.pieces:
        if piece.is_ambiguous:
            raise _shows_colours(
                f"a list of placements does not support the colours of piece `{piece.name}`", piece.span
            )
    if fitting.region_rules:
        raise fail("PZ501", "a list of placements does not support numbers on pieces", file=fitting.title)
    names = list(different(fitting.location_name(number) for number in range(fitting.locations)))
    called = list(different(fitting.piece_name(number) for number in range(len(fitting.pieces))))
    return Puzzle(
        fitting.title,
        None,
        tuple(Location(name, None, number in fitting.optional) for number, name in enumerate(names)),
        tuple(
            Piece(
                called[number],
                covers=tuple(tuple(names[location] for location in placement) for placement in piece.placements),
                low=piece.low,
                high=piece.high,
            )
            for number, piece in enumerate(fitting.pieces)
        ),
        rules=PuzzleRules(empty=fitting.empty),
        costs=tuple(_raised_cost(cost, fitting, names, called) for cost in fitting.costs),
    )


def _raised_cost(cost: Cost[int], fitting: Fitting, names: list[str], called: list[str]) -> Cost[Address]:
    """Return a cost with the names of a puzzle without geometry."""
    if cost.payer is Payer.COLOUR or cost.payer.is_meeting:
        what = "a colour" if cost.payer is Payer.COLOUR else cost.payer.value
        raise fail("PZ719", f"a list of placements does not support the cost of {what}", file=fitting.title)
    new_names = {fitting.piece_name(number): name for number, name in reversed(list(enumerate(called)))}
    raised_cost: Cost[Address] = cost.on([names[location] for location in cost.region])
    return replace(raised_cost, name=new_names.get(cost.name, ""))


def write_puzzle_text(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the text of a puzzle in the language, in one chunk; see :func:`write_puzzle`."""
    return iter([write_puzzle(puzzle)])


def write_puzzle(puzzle: Puzzle) -> str:
    """Return the text of a puzzle in the language; reading it gives the same fitting.

    Names keep all characters that a text can contain in quotes. Raises PuzzleError if there are more colours than
    characters, and for a puzzle without locations or pieces.
    """
    for what, there in (("location", puzzle.locations), ("piece", puzzle.pieces)):
        if not there:
            raise fail("PZ501", f"the puzzle language needs at least one {what}", file=puzzle.title or None)
    return "\n".join(_PuzzleWriter(_with_plain_names(puzzle)).lines()) + "\n"


#: Characters that quotes cannot contain: the quotes themselves, line ends and control characters.
_STRANGE = re.compile(r"[\"\x00-\x1f\x7f\x85\u2028\u2029\ufeff]")


def _with_plain_names(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with names that can be written, all different."""
    pieces = [piece.name for piece in puzzle.pieces]
    names = [*pieces, *puzzle.region_cells]
    places = [location.at for location in puzzle.locations if isinstance(location.at, str)]
    if not any(map(_STRANGE.search, [*names, *places])) and all(names) and all(places):
        return puzzle
    written = list(different(_STRANGE.sub("'", name) or "'" for name in names))
    piece, regions = dict(zip(pieces, written[: len(pieces)], strict=True)), written[len(pieces) :]
    place_called = dict(zip(places, different(_STRANGE.sub("'", name) or "'" for name in places), strict=True))

    def at(address: Address) -> Address:
        return place_called[address] if isinstance(address, str) else address

    return replace(
        puzzle,
        locations=tuple(replace(location, at=at(location.at)) for location in puzzle.locations),
        pieces=tuple(
            replace(
                described,
                name=piece[described.name],
                covers=None if described.covers is None else tuple(tuple(map(at, cover)) for cover in described.covers),
            )
            for described in puzzle.pieces
        ),
        rules=replace(
            puzzle.rules,
            pieces=tuple(
                replace(rule, piece=piece[rule.piece], region=tuple(map(at, rule.region)))
                for rule in puzzle.rules.pieces
            ),
            regions=tuple(
                replace(rule, region=tuple(map(at, rule.region)), piece=piece.get(rule.piece, ""))
                for rule in puzzle.rules.regions
            ),
            meetings=tuple(
                replace(meeting, pieces=tuple([piece[name] for name in meeting.pieces]))
                for meeting in puzzle.rules.meetings
            ),
        ),
        movement=replace(
            puzzle.movement,
            together=tuple(
                tuple((piece[name], copies) for name, copies in group) for group in puzzle.movement.together
            ),
            immovable=tuple(piece[name] for name in puzzle.movement.immovable),
        ),
        regions=tuple(
            NamedRegion(name, tuple(map(at, region.cells)))
            for name, region in zip(regions, puzzle.regions, strict=True)
        ),
        costs=tuple(
            replace(
                cost,
                name=piece.get(cost.name, "") if cost.payer is Payer.PIECE else cost.name,
                region=tuple(map(at, cost.region)),
            )
            for cost in puzzle.costs
        ),
    )


def _letters(puzzle: Puzzle, signs: Mapping[str, str]) -> dict[Address, str]:
    """Return the letters of locations whose regions can be drawn: they have a letter, are plain and do not overlap."""
    letters: dict[Address, str] = {}
    rule = rule_of(puzzle.lattice) if puzzle.lattice else None
    plain = {location.at for location in puzzle.locations if location.colour is None and not location.optional}
    regions = [(region.name, region.cells) for region in puzzle.regions if region.cells]
    regions += [(demand.name, demand.region) for demand in puzzle.rules.regions]
    for name, cells in regions if rule is not None and rule.signs else ():
        fits = re.fullmatch(r"[^\W\d_]", name) and name not in (*signs.values(), "x")
        conflicts = {letters[at] for at in cells if at in letters} or {name} & set(letters.values())
        other = name in puzzle.region_cells and set(puzzle.region_cells[name]) != set(cells)
        if fits and not conflicts and not other and plain.issuperset(cells):
            letters.update(dict.fromkeys(cells, name))
    return letters


def _demands(demand: RegionRule[Address]) -> list[str]:
    """Return the conditions of a rule; a number of pieces between two bounds becomes two of them."""
    if demand.kind is Condition.COUNT:
        return count_words(demand.low, demand.high, demand.piece)
    return [demand.words]


class _PuzzleWriter:
    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.signs = colour_signs(puzzle)
        self.letters = _letters(puzzle, self.signs)
        numbers_differ = any(number_of(self.signs[colour]) != number_of(colour) for colour in puzzle.colours.names)
        if puzzle.rules.regions and numbers_differ:
            raise fail("PZ501", "too many colours for the characters of the puzzle language", puzzle.span)

    def lines(self) -> Iterator[str]:
        puzzle = self.puzzle
        yield 'puzzle "' + re.sub(r'["\n]', "'", puzzle.title) + '"'
        yield f"lattice {quoted(puzzle.lattice.name) if puzzle.lattice else 'none'}"
        yield from self.settings()
        yield ""
        yield from board(puzzle, self.signs, self.letters)
        yield ""
        for piece in puzzle.pieces:
            yield from self.piece(piece)
        yield from (f"paint {quoted(piece.name)} {quoted(piece.paint)}" for piece in puzzle.pieces if piece.paint)
        for region in self.puzzle.regions:
            if region.cells and region.name not in self.letters.values():
                yield f"region {region_text(region.name)} = cells {addresses(region.cells)}"
        yield from self.rules()
        for group in puzzle.movement.together:
            copies = [quoted(name) + (f" x{number}" if number < ANY else "") for name, number in group]
            yield f"together {' '.join(copies)}"
        if puzzle.movement.walls:
            yield f"wall {self.where(puzzle.movement.walls)}"
        if puzzle.movement.immovable:
            yield f"immovable {' '.join(map(quoted, puzzle.movement.immovable))}"
        if puzzle.movement.turns_allowed:
            yield "turns"
        for demand in puzzle.rules.regions:
            letter = self.letters.get(demand.region[0], "")
            lettered = letter and sorted(at for at, used in self.letters.items() if used == letter)
            where = letter if lettered == sorted(demand.region) else self.where(demand.region)
            yield from (f"rule {where} {words}" for words in _demands(demand))
        for meeting in puzzle.rules.meetings:
            where = f" {meeting.where} {self.somewhere(meeting.region)}" if meeting.where else ""
            yield f"{meeting.words}{where}"
        yield from map(self.cost, puzzle.costs)
        yield from (f"expect {expectation.words}" for expectation in puzzle.expected)

    def cost(self, cost: Cost[Address]) -> str:
        """Return the statement of a cost."""
        if abs(cost.value) > MAX_INTEGER:
            raise fail("PZ717", f"the puzzle language supports costs up to {MAX_INTEGER}", file=self.puzzle.title)
        payer = cost.payer.value
        if cost.payer is Payer.COLOUR:
            payer += f" {self.signs[cost.name]}"
        elif cost.payer is Payer.FAULTS:
            payer += f" across {cost.name}" if cost.name else ""
        elif cost.payer is Payer.PIECE:
            payer = f'"{cost.name}"' if cost.name in NOT_A_PAYER else quoted(cost.name) if cost.name else ""
        region = f"{cost.where} {self.somewhere(cost.region)}" if cost.where else ""
        return " ".join(["cost", *filter(None, (payer, region)), "=", str(cost.value)])

    def somewhere(self, region: tuple[Address, ...]) -> str:
        """Return a region that may be empty."""
        nowhere = listed([self.puzzle.locations[0].at])
        return self.where(region) if region else f"{nowhere} - {nowhere}"

    def where(self, region: tuple[Address, ...]) -> str:
        """Return a region that is not empty: its name, or a list of its cells or names."""
        name = self.puzzle.region_name(region)
        return region_text(name) if name else listed(region)

    def settings(self) -> Iterator[str]:
        """Yield the statements about colours, sides and the board before its locations."""
        puzzle = self.puzzle
        if puzzle.colours.names:
            yield "colours " + " ".join(self.signs[colour] for colour in puzzle.colours.names)
        if self.letters:
            yield "regions " + " ".join(dict.fromkeys(self.letters.values()))
        pairs = sorted((self.signs[cell], self.signs[at]) for cell, at in puzzle.colours.allowed)
        for cell in dict.fromkeys(cell for cell, _ in pairs):
            yield f"allow {cell} on " + " ".join(at for drawn, at in pairs if drawn == cell)
        if puzzle.colours.frame is not None:
            yield "frame " + " ".join(self.signs[sign] for sign in puzzle.colours.frame)
        for sign, mate in puzzle.colours.mates:
            if sign <= mate:
                yield f"match {self.signs[sign]} {self.signs[mate]}"
        if puzzle.rules.crossing:
            yield "crossing"
        if puzzle.wraps:
            yield "wrap " + " ".join(addresses([wrap.vector]) + " twisted" * wrap.twisted for wrap in puzzle.wraps)
        if puzzle.rules.empty is not None:
            yield "empty {}..{}".format(*puzzle.rules.empty)

    def rules(self) -> Iterator[str]:
        """Yield the rules on the placements of pieces."""
        puzzle = self.puzzle
        for rule in puzzle.rules.pieces:
            verb, side = {
                RuleKind.INSIDE: ("place", "inside"),
                RuleKind.ON: ("place", "on"),
                RuleKind.OFF: ("place", "off"),
                RuleKind.FIX: ("fix", "at"),
                RuleKind.FORBID: ("forbid", "at"),
            }[rule.kind]
            if not rule.region and rule.kind in (RuleKind.INSIDE, RuleKind.ON) and puzzle.locations:
                yield f"{verb} {quoted(rule.piece)} {side} {self.somewhere(())}"
            elif rule.region:
                sides = f" sides {' '.join(self.signs[side] for side in rule.sides)}" if rule.sides else ""
                yield f"{verb} {quoted(rule.piece)}{sides} {side} {self.where(rule.region)}"

    def piece(self, piece: Piece) -> Iterator[str]:
        lattice = self.puzzle.lattice
        if lattice is not None and piece.sides:
            yield self.tile(piece, lattice)
            return
        freedom = lattice.freedom_of(piece.turns) if lattice and piece.covers is None else None
        if lattice is None or freedom is None:
            yield from self.covers(piece)
            return
        head = self.head(piece)
        if set(piece.turns) != set(lattice.turns(lattice.freedom)):
            head += f" {freedom.value}"
        rule = drawn_rule(lattice, piece.cells)
        coloured = any(piece.colours)
        if rule is not None and (rule.signs or not coloured):
            pairs = zip(piece.cells, piece.colours, strict=True)
            yield from drawing(head, {cell: sign_of(colour, self.signs) for cell, colour in pairs}, lattice, rule)
        elif not coloured:
            yield f"{head} cells {addresses(piece.cells)}"
        elif rule_of(lattice) is None:
            yield from self.covers(piece)
        else:
            raise fail("PZ501", "the puzzle language does not support drawing this piece with its colours", piece.span)

    @staticmethod
    def head(piece: Piece) -> str:
        """Return the beginning of a piece's statement: its name, and its copies unless there is one."""
        copies = copies_mark(piece.low, piece.high)
        return f"piece {quoted(piece.name)}{copies}"

    def tile(self, piece: Piece, lattice: Lattice) -> str:
        """Return the statement for a piece with sides, which is one-sided by default."""
        freedom = lattice.freedom_of(piece.turns)
        if freedom is None:
            raise fail(
                "PZ501", f"the puzzle language does not support the orientations of piece `{piece.name}`", piece.span
            )
        head = self.head(piece)
        if set(piece.turns) != set(lattice.turns(Freedom.ONE_SIDED)):
            head += f" {freedom.value}"
        return f"{head} sides {' '.join(self.signs[side] for side in piece.sides)}"

    def covers(self, piece: Piece) -> Iterator[str]:
        """Yield a piece by its placements, which already have all orientations."""
        sets: Iterable[Iterable[Address]] = piece.covers or ()
        if piece.covers is None:
            alone = place(self.puzzle.alone(piece))
            needed = self.puzzle.rules.regions or any(cost.payer is Payer.COLOUR for cost in self.puzzle.costs)
            if alone.pieces[0].colours or (needed and any(piece.colours)):
                message = f"the puzzle language does not support drawing piece `{piece.name}` with its colours"
                note = "" if alone.pieces[0].colours else "rules on regions and costs of colours need its colours"
                raise _shows_colours(message, piece.span, note)
            at = [location.at for location in self.puzzle.locations]
            sets = [[at[location] for location in placement] for placement in alone.pieces[0].placements]
        texts = ["{" + addresses(group) + "}" for group in sets]
        if not texts:
            raise fail(
                "PZ501", f"the puzzle language does not support piece `{piece.name}` without placements", piece.span
            )
        head = self.head(piece)
        line = f"{head} covers {' '.join(texts)}"
        if len(line) <= 100:
            yield line
            return
        yield f"{head} covers ("
        yield from (f"  {text}" for text in texts)
        yield ")"


def _shows_colours(message: str, span: Span | None, note: str = "") -> PuzzleError:
    """Return the error for a piece that cannot be listed by its locations alone, because of the colours it shows."""
    note = note or "it covers the same locations in several ways, which would be one placement"
    return fail("PZ501", message, span, note=note, help="convert to `json`, which supports colours")
