"""A puzzle in the puzzle language, in one canonical form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from math import prod

from puzzlec.diagnostics.diagnostic import fail
from puzzlec.geometry import Cell, Freedom, Lattice
from puzzlec.geometry.drawing import layout, layout_sticks
from puzzlec.geometry.regions import LARGEST_REGION, box, grid
from puzzlec.ir import Fitting, Location, Piece, Puzzle, RuleKind
from puzzlec.ir.puzzle import Address, copies_text
from puzzlec.lower import place

#: Characters for colours whose names are longer than one.
_SIGNS = "abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_RESERVED = set("#.x?{}/")


def raised(fitting: Fitting) -> Puzzle:
    """Return a fitting as a puzzle without geometry: named locations and listed placements.

    Raises PuzzleError for one whose pieces have edges: these are geometry.
    """
    if fitting.crossings:
        raise fail("PZ501", "a list of placements cannot say that pieces do not cross", file=fitting.title)
    if fitting.beyond:
        raise fail(
            "PZ501", "a list of placements cannot say what colours the edges of a piece have", file=fitting.title
        )
    names = [fitting.location_name(number) for number in range(fitting.locations)]
    return Puzzle(
        fitting.title,
        None,
        tuple(Location(name, None, number in fitting.optional) for number, name in enumerate(names)),
        tuple(
            Piece(
                fitting.piece_name(number),
                covers=tuple(tuple(names[location] for location in each) for each in piece.placements),
                low=piece.low,
                high=piece.high,
            )
            for number, piece in enumerate(fitting.pieces)
        ),
        empty=fitting.empty,
    )


def write_puzzle(puzzle: Puzzle) -> str:
    """Return the text of a puzzle in the language; reading it again gives the same fitting.

    Raises PuzzleError for more colours than there are characters.
    """
    return "\n".join(_Writer(puzzle).lines()) + "\n"


class _Writer:
    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.signs = _colour_signs(puzzle)
        self.sticks = puzzle.lattice is not None and puzzle.lattice.drawing == "sticks"

    def lines(self) -> Iterator[str]:
        puzzle = self.puzzle
        yield 'puzzle "' + re.sub(r'["\n]', "'", puzzle.title) + '"'
        yield f"lattice {puzzle.lattice.name if puzzle.lattice else 'none'}"
        if puzzle.colours:
            yield "colours " + " ".join(self.signs[colour] for colour in puzzle.colours)
        pairs = sorted((self.signs[cell], self.signs[at]) for cell, at in puzzle.allowed)
        for cell in dict.fromkeys(cell for cell, _ in pairs):
            yield f"allow {cell} on " + " ".join(at for each, at in pairs if each == cell)
        if puzzle.rim is not None:
            yield "rim " + " ".join(self.signs[sign] for sign in puzzle.rim)
        for sign, mate in puzzle.mates:
            if sign <= mate:
                yield f"match {self.signs[sign]} {self.signs[mate]}"
        if puzzle.crossing:
            yield "crossing allowed"
        if puzzle.empty is not None:
            yield "empty {}..{}".format(*puzzle.empty)
        yield ""
        yield from self.locations()
        yield ""
        for piece in puzzle.pieces:
            yield from self.piece(piece)
        for rule in puzzle.rules:
            verb, side = {
                RuleKind.IN: ("place", "in"),
                RuleKind.OFF: ("place", "off"),
                RuleKind.FIX: ("fix", "in"),
                RuleKind.FORBID: ("forbid", "in"),
            }[rule.kind]
            if not rule.region and rule.kind is RuleKind.IN and puzzle.locations:
                nowhere = addresses([puzzle.locations[0].at])
                yield f"{verb} {quoted(rule.piece)} {side} cells {nowhere} - cells {nowhere}"
            elif rule.region:
                edges = f" edges {' '.join(self.signs[side] for side in rule.sides)}" if rule.sides else ""
                yield f"{verb} {quoted(rule.piece)}{edges} {side} cells {addresses(rule.region)}"

    def locations(self) -> Iterator[str]:
        puzzle = self.puzzle
        if puzzle.lattice is None:
            yield from self.named_locations()
            return
        cells = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
        plain = not any(location.colour or location.optional for location in puzzle.locations)
        sizes = [max(axis) + 1 for axis in zip(*cells, strict=True)] if cells else []
        if plain and cells and min(sizes) > 0 and len(cells) == prod(sizes) and cells == list(box(sizes)):
            yield "locations box " + "x".join(map(str, sizes))
            return
        edges = [max(cell[axis] + (cell[2] == axis) for cell in cells) for axis in (0, 1)] if self.sticks else []
        if plain and edges and min(edges) >= 0 and cells == list(grid(*edges)):
            yield f"locations grid {edges[0]}x{edges[1]}"
            return
        if puzzle.lattice.drawing != "rows":
            yield from self.listed()
            return
        runs = list(_runs(puzzle.locations))
        if plain and len(runs) > 3:
            yield f"locations cells {addresses(cells)}"
            return
        for run in runs:
            signs = {
                location.at: "?" if location.optional and location.colour is None else self.sign(location.colour)
                for location in run
                if isinstance(location.at, tuple)
            }
            optional = all(location.optional for location in run)
            yield from self.drawing("optional locations" if optional else "locations", signs, place=True)

    def listed(self) -> Iterator[str]:
        """Give the locations by their coordinates, needed ones and optional ones in stretches."""
        if any(location.colour for location in self.puzzle.locations):
            raise fail(
                "PZ501", "the puzzle language has colours in drawings only, not on this lattice", self.puzzle.span
            )
        for optional, run in groupby(self.puzzle.locations, key=lambda location: location.optional):
            yield f"{'optional ' * optional}locations cells {addresses(location.at for location in run)}"

    def named_locations(self) -> Iterator[str]:
        names = [str(location.at) for location in self.puzzle.locations]
        if names == [str(number) for number in range(len(names))] and not any(
            location.optional for location in self.puzzle.locations
        ):
            yield f"locations {len(names)}"
            return
        start = 0
        for end in range(1, len(names) + 1):
            here = self.puzzle.locations[start]
            if end == len(names) or self.puzzle.locations[end].optional != here.optional:
                # A lone number would be read as a number of locations.
                chunk = " ".join(quoted(name) for name in names[start:end])
                lone = end - start == 1 and names[start].isdecimal()
                yield ("optional " if here.optional else "") + f"locations {f'cells {chunk}' if lone else chunk}"
                start = end

    def sign(self, colour: str | None) -> str:
        return "x" if colour is None else self.signs[colour]

    def drawing(self, head: str, signs: dict[Cell, str], place: bool = False) -> Iterator[str]:
        """Give a statement with a drawing, on one line where it is small; ``at`` its place, where asked for."""
        rows = ["  ".join(row) for row in layout(signs)]
        low = [min(axis) for axis in zip(*signs, strict=True)]
        at = f" at ({','.join(map(str, low))})" if place and any(low) else ""
        short = "/".join(rows)
        if len(short) <= 24 and (len(rows) == 1 or " " not in short):
            yield f"{head} {{ {short} }}{at}"
            return
        yield f"{head} {{"
        yield from (f"  {row}" for row in rows)
        yield f"}}{at}"

    def piece(self, piece: Piece) -> Iterator[str]:
        lattice = self.puzzle.lattice
        if lattice is not None and piece.sides:
            yield self.tile(piece, lattice)
            return
        head = self.head(piece)
        freedom = lattice.freedom_of(piece.turns) if lattice and piece.covers is None else None
        drawable = lattice is not None and (lattice.drawing == "rows" or self.sticks)
        if lattice is None or freedom is None or not drawable:
            yield from self.covers(head, piece)
            return
        if set(piece.turns) != set(lattice.turns(lattice.freedom)):
            head += f" {freedom.value}"
        if self.sticks and any(piece.colours):
            raise fail("PZ501", "the puzzle language cannot draw sticks with colours", piece.span)
        if self.sticks:
            yield f"{head} {{"
            yield from (f"  {row}" for row in layout_sticks({cell: "-|"[cell[2]] for cell in piece.cells}))
            yield "}"
            return
        pairs = zip(piece.cells, piece.colours, strict=True)
        yield from self.drawing(head, {cell: self.sign(colour) for cell, colour in pairs})

    @staticmethod
    def head(piece: Piece) -> str:
        """Return what a piece's statement begins with: its name, and its copies where it has not just one."""
        copies = "" if (piece.low, piece.high) == (1, 1) else f" x{copies_text(piece.low, piece.high)}"
        return f"piece {quoted(piece.name)}{copies}"

    def tile(self, piece: Piece, lattice: Lattice) -> str:
        """Return the statement for a piece with edges, which is one-sided unless it says otherwise."""
        freedom = lattice.freedom_of(piece.turns)
        if freedom is None:
            raise fail("PZ501", f"the puzzle language cannot say how piece `{piece.name}` may be turned", piece.span)
        head = self.head(piece)
        if set(piece.turns) != set(lattice.turns(Freedom.ONE_SIDED)):
            head += f" {freedom.value}"
        return f"{head} edges {' '.join(self.signs[side] for side in piece.sides)}"

    def covers(self, head: str, piece: Piece) -> Iterator[str]:
        """Give a piece by its placements, as DPF would."""
        sets: Iterable[Iterable[Address]] = piece.covers or ()
        if piece.covers is None:
            alone = place(replace(self.puzzle, pieces=(piece,), rules=()))
            at = [location.at for location in self.puzzle.locations]
            sets = [[at[location] for location in each] for each in alone.pieces[0].placements]
        texts = ["{" + addresses(each) + "}" for each in sets]
        if not texts:
            raise fail(
                "PZ501", f"the puzzle language cannot say that piece `{piece.name}` has no placement", piece.span
            )
        line = f"{head} covers {' '.join(texts)}"
        if len(line) <= 100:
            yield line
            return
        yield f"{head} covers ("
        yield from (f"  {each}" for each in texts)
        yield ")"


def _runs(locations: Iterable[Location]) -> Iterator[list[Location]]:
    """Give the locations in stretches that a drawing lists in just this order."""
    run: list[Location] = []
    low: list[int] = []
    high: list[int] = []
    special = needed = False  # whether the run has a coloured location that may stay empty, one that may not
    for location in locations:
        at = [value for value in location.at if isinstance(value, int)]
        special, needed = special or bool(location.colour and location.optional), needed or not location.optional
        low, high = list(map(min, low or at, at)), list(map(max, high or at, at))
        if run:
            forward = tuple(reversed(run[-1].at)) < tuple(reversed(location.at))  # layer, row, column
            # A coloured location that may stay empty has no sign of its own: all of its drawing must be optional.
            # And cells far apart would make a drawing that is nothing but dots.
            wide = prod(b - a + 1 for a, b in zip(low, high, strict=True)) > LARGEST_REGION
            if not forward or (special and needed) or wide:
                yield run
                run, low, high = [], at, at
                special, needed = bool(location.colour and location.optional), not location.optional
        run.append(location)
    if run:
        yield run


def _colour_signs(puzzle: Puzzle) -> dict[str, str]:
    """Return a character for each colour: its name where that is one, else one not yet taken."""
    own = {colour for colour in puzzle.colours if len(colour) == 1 and colour not in _RESERVED}
    free = (sign for sign in _SIGNS if sign not in own)
    try:
        return {colour: colour if colour in own else next(free) for colour in puzzle.colours}
    except StopIteration:
        raise fail("PZ501", "the puzzle language has no characters for so many colours", puzzle.span) from None


def quoted(name: str) -> str:
    """Return a name as the language writes it: in double quotes unless it is one plain word.

    >>> quoted("F"), quoted("big L")
    ('F', '"big L"')
    """
    return name if re.fullmatch(r"\w[\w\-]*", name) else '"' + name.replace('"', "'") + '"'


def addresses(ats: Iterable[Address]) -> str:
    """Return addresses as the language writes them: names, or cells in brackets."""
    return " ".join(quoted(at) if isinstance(at, str) else "(" + ",".join(map(str, at)) + ")" for at in ats)
