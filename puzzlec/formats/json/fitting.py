"""A fitting in JSON: numbered locations, and for each piece its placements."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from puzzlec.diagnostics import counted
from puzzlec.formats.json.checks import Checks
from puzzlec.formats.json.places import Path
from puzzlec.ir import Condition, Fitting, Placements, RegionRule
from puzzlec.ir.fitting import Colours, FittingPiece

REQUIRED_KEYS = ("locations", "pieces")
OPTIONAL_KEYS = ("title", "optional", "empty", "neighbours", "mates", "crossings", "region_rules", "costs")
#: Maximum number of locations that are given only by their number: so a short text cannot take much memory.
MAX_UNNAMED_ENTRIES = 2_000_000

_Colour = TypeVar("_Colour", str, str | None)

_PIECE_KEYS = ("name", "low", "high", "sides", "colours")


def fitting_of(members: dict[str, Any], checks: Checks) -> Fitting | None:
    """Return the fitting of an object, or None after an error.

    The locations of a placement may have any order. Equal placements of a piece are merged.
    """
    return _FittingReader(checks, placed=True).fitting(members)


def unplaced_fitting_of(members: dict[str, Any], checks: Checks) -> tuple[Fitting, list[PlacementColours]] | None:
    """Return a fitting whose placements come from elsewhere, with the colours that the placements of each piece show.

    Returns None after an error.
    """
    reading = _FittingReader(checks, placed=False)
    fitting = reading.fitting(members)
    return None if fitting is None else (fitting, reading.apart)


def _against(rule: RegionRule[int], named: set[str]) -> str:
    """Return what is wrong with a rule about how pieces meet; empty if it is possible."""
    unknown = next((name for name in rule.pieces if name not in named), None)
    if unknown is not None:
        return f"unknown piece `{unknown}`"
    if rule.kind is Condition.TOUCHING and (len(set(rule.pieces)), len(rule.pieces)) != (2, 2):
        return f"`touching` needs two pieces, found {len(set(rule.pieces))}"
    first, second = ([pair[side] for pair in rule.pairs] for side in (0, 1))
    if rule.kind is Condition.SYMMETRIC and not sorted(first) == sorted(second) == sorted(rule.region):
        return "`pairs` must give each location of the region one image in it"
    pieces, images = rule.pieces[::2], rule.pieces[1::2]
    if rule.kind is Condition.SYMMETRIC and (sorted(pieces) != sorted(images) or len({*pieces}) < len(pieces)):
        return "`pieces` must have the image of each piece after it, a different one for each"
    return ""


class PlacementColours(NamedTuple):
    """The colours of each placement of a piece: those of the sides of a tile, or of its cells."""

    sides: tuple[tuple[str, ...], ...]
    colours: tuple[Colours, ...]


class _FittingReader:
    def __init__(self, checks: Checks, placed: bool) -> None:
        self.checks, self.placed = checks, placed
        self.locations = 0
        # The colours of pieces whose placements come from elsewhere.
        self.apart: list[PlacementColours] = []

    def fitting(self, members: dict[str, Any]) -> Fitting | None:
        checks = self.checks
        names = self.names(members.get("locations"))
        title = checks.text(members.get("title", ""), ("title",))
        optional = checks.numbers(members.get("optional", []), ("optional",), self.locations, "location", "PZ204")
        empty = checks.between(members.get("empty"), ("empty",))
        neighbours = self.neighbours(members.get("neighbours", []))
        mates = checks.pairs(members.get("mates", []), ("mates",), "colours", checks.text)
        crossings = checks.several(members.get("crossings", []), ("crossings",), "crossings", self.crossing)
        rules = checks.several(members.get("region_rules", []), ("region_rules",), "rules", self.region_rule)
        costs = checks.costs(members.get("costs", []), ("costs",), self.number, of_fitting=True)
        pieces = checks.several(members.get("pieces"), ("pieces",), "pieces", self.piece)
        named = {piece.name or str(number) for number, piece in enumerate(pieces)}
        for number, rule in enumerate(rules):
            if rule.piece and rule.piece not in named:
                checks.add("PZ306", f"unknown piece `{rule.piece}`", ("region_rules", number, "piece"))
            if why := _against(rule, named):
                checks.add("PZ276", why, ("region_rules", number))
        note_mates(mates, checks)
        self.meet(neighbours)
        self.sides(pieces, neighbours)
        if checks.faults:
            return None
        return Fitting(
            locations=self.locations,
            pieces=tuple(pieces),
            optional=frozenset(optional),
            empty=empty,
            neighbours=tuple(map(tuple, neighbours)),
            mates=tuple(mates),
            crossings=tuple(map(tuple, crossings)),
            names=tuple(names),
            title=title,
            region_rules=tuple(rules),
            costs=costs,
        )

    def region_rule(self, value: Any, path: Path) -> RegionRule[int]:
        """Return a rule on a region, its locations in ascending order."""
        rule = self.checks.region_rule(value, path, self.number, meeting=True)
        return replace(rule, region=tuple(sorted(rule.region)))

    def names(self, value: Any) -> list[str]:
        """Return the names of the locations; empty if only their number is given."""
        if type(value) is int:
            what = "a list of names or the number of locations"
            self.locations = self.checks.whole(value, ("locations",), 0, MAX_UNNAMED_ENTRIES, what)
            return []
        location_names = self.checks.texts(value, ("locations",), "names or the number of locations")
        self.locations = len(location_names)
        return location_names

    def number(self, value: Any, path: Path, least: int = 0) -> int:
        """Return the number of a location; -1 may mean none."""
        if type(value) is int and least <= value < self.locations:
            return value
        if type(value) is int:
            none = " (-1: none)" if least else ""
            last = f"locations are numbered 0 to {self.locations - 1}{none}"
            self.checks.add("PZ204", f"location {value} is out of range", path, note=last)
        else:
            self.checks.wrong(value, path, "the number of a location")
        return least

    def neighbours(self, value: Any) -> list[list[int]]:
        """Return for each location the locations across its sides."""

        def around(numbers: Any, path: Path) -> list[int]:
            return self.checks.several(
                numbers, path, "numbers of locations", lambda number, at: self.number(number, at, -1)
            )

        lists = self.checks.several(value, ("neighbours",), "lists of locations", around)
        if lists and len(lists) != self.locations:
            self.checks.add(
                "PZ276", f"`neighbours` has {len(lists)} lists for {self.locations} locations", ("neighbours",)
            )
        return lists

    def crossing(self, value: Any, path: Path) -> tuple[tuple[int, int], ...]:
        return tuple(self.checks.pairs(value, path, "locations", self.number))

    def piece(self, value: Any, path: Path) -> FittingPiece:
        """Return a piece with its placements."""
        checks = self.checks
        needed = ("placements",) if self.placed else ()
        members = checks.keys(value, path, "a piece", needed, _PIECE_KEYS)
        low, high = checks.bounds(members, path)
        colouring = PlacementColours(
            tuple(
                self.lists_of_colours(members, path, "sides", lambda colours, at: checks.texts(colours, at, "colours"))
            ),
            tuple(self.lists_of_colours(members, path, "colours", self.colours)),
        )
        placements = Placements()
        if "placements" in members:
            starts, locations = checks.rows(
                members["placements"], (*path, "placements"), self.locations, "location", "PZ204"
            )
            placements, colouring = self.ascending(starts, locations, colouring, path)
        name = checks.text(members.get("name", ""), (*path, "name"), "the name of a piece")
        if low and not placements and members.get("placements") == []:
            checks.doubt("PZ206", "this piece has no placement, so there is no solution", (*path, "placements"))
        if not self.placed:
            self.apart.append(colouring)
            colouring = PlacementColours((), ())
        return FittingPiece(placements, low, high, colouring.sides, name, colours=colouring.colours)

    def lists_of_colours(
        self, members: dict[str, Any], path: Path, key: str, read: Callable[[Any, Path], Iterable[_Colour]]
    ) -> Iterator[tuple[_Colour, ...]]:
        """Yield lists of colours, one for each placement."""
        return map(tuple, self.checks.several(members.get(key, []), (*path, key), "lists of colours", read))

    def colours(self, value: Any, path: Path) -> list[str | None]:
        """Return colours, null for a plain cell."""

        def colour(name: Any, at: Path) -> str | None:
            return None if name is None else self.checks.text(name, at, "a colour, or null")

        return self.checks.several(value, path, "colours", colour)

    def ascending(
        self, starts: array[int], locations: array[int], colouring: PlacementColours, path: Path
    ) -> tuple[Placements, PlacementColours]:
        """Return placements with ascending locations, each once, with their colours; warn about equal ones.

        Two placements of a tile may be equal, because the tile may be rotated.
        """
        begins, flat, colours = array("i", [0]), array("i"), []
        seen: set[tuple[bytes, Colours]] = set()
        painted = len(colouring.colours) == len(starts) - 1
        if colouring.colours and not painted:
            lists = counted(len(starts) - 1, "list")
            said = f"expected {lists} of colours, one for each placement, found {len(colouring.colours)}"
            self.checks.add("PZ276", said, (*path, "colours"))
        for at in range(len(starts) - 1):
            row = locations[starts[at] : starts[at + 1]]
            row_colours: Colours = ()
            if painted and not self.checks.faults:
                paint = colouring.colours[at]
                if len(paint) != len(row):
                    what = f"expected {counted(len(row), 'colour')}, one for each location, found {len(paint)}"
                    self.checks.add("PZ276", what, (*path, "colours", at))
                    continue
                pairs = sorted(zip(row, paint, strict=True), key=itemgetter(0))
                row_colours = tuple([colour for _, colour in pairs])
            row = array("i", sorted(row))
            key = row.tobytes(), row_colours
            if key in seen and not colouring.sides and not self.checks.faults:
                self.checks.doubt(
                    "PZ208", "this placement equals an earlier one and is merged with it", (*path, "placements", at)
                )
                continue
            seen.add(key)
            flat.extend(row)
            begins.append(len(flat))
            colours.append(row_colours)
        return Placements.from_arrays(begins, flat), colouring._replace(colours=tuple(colours) if painted else ())

    def meet(self, neighbours: list[list[int]]) -> None:
        """Note neighbours that are not mutual, and locations that meet in more than one side."""
        around = [set(neighbour) for neighbour in neighbours]
        for location, others in enumerate(neighbours if not self.checks.faults else ()):
            for at, other in enumerate(others):
                path = ("neighbours", location, at)
                if other == location or (other >= 0 and others.index(other) != at):
                    self.checks.add("PZ276", f"locations {location} and {other} meet in more than one side", path)
                elif other >= 0 and location not in around[other]:
                    said = f"location {other} is a neighbour of {location}, but the reverse is missing"
                    self.checks.add("PZ276", said, path)

    def sides(self, pieces: list[FittingPiece], neighbours: list[list[int]]) -> None:
        """Note sides that do not match placements."""
        if self.checks.faults:
            return
        for number, piece in enumerate(pieces):
            if not piece.sides:
                continue
            path = ("pieces", number, "sides")
            if not neighbours:
                self.checks.add("PZ276", "this piece has sides, but `neighbours` is missing", path)
            elif len(piece.sides) != len(piece.placements):
                count = len(piece.placements)
                self.checks.add(
                    "PZ276", f"expected {count} lists of sides, one for each placement, found {len(piece.sides)}", path
                )
            else:
                for at, why in wrong_sides(piece, neighbours):
                    self.checks.add("PZ276", why, (*path, at))


def note_mates(mates: list[tuple[str, str]], checks: Checks) -> None:
    """Note a colour with two mates, and one that is not the mate of its mate."""
    pairs = set(mates)
    met: dict[str, str] = {}
    for at, (sign, mate) in enumerate(mates):
        if met.setdefault(sign, mate) != mate:
            checks.add("PZ276", f"the colour `{sign}` has two mates", ("mates", at))
        elif (mate, sign) not in pairs:
            said = f"`{sign}` has the mate `{mate}`, but the reverse is missing"
            checks.add("PZ276", said, ("mates", at), help=f'add `["{mate}", "{sign}"]`')


def wrong_sides(piece: FittingPiece, neighbours: Sequence[Sequence[int]]) -> Iterator[tuple[int, str]]:
    """Yield placements of a tile that cover several locations, or show a wrong number of sides, with the reason."""
    for at, (placement, sides) in enumerate(zip(piece.placements, piece.sides, strict=False)):
        if len(placement) != 1:
            yield at, f"a piece with sides covers one location, found {len(placement)}"
        elif len(sides) != len(neighbours[placement[0]]):
            yield at, f"expected {len(neighbours[placement[0]])} sides on location {placement[0]}, found {len(sides)}"
