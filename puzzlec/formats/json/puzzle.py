"""A puzzle in JSON: its lattice, which may be custom, locations, pieces and rules."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from puzzlec.diagnostics import PuzzleError, Report, Source, Span, counted, suggestion
from puzzlec.diagnostics.error import fail, unless_errors
from puzzlec.formats.json.checks import Checks, kind, way
from puzzlec.formats.json.fitting import note_mates
from puzzlec.formats.json.places import Path, places
from puzzlec.geometry import Freedom, Lattice, Matrix, find_lattice, lattice_names
from puzzlec.geometry.lattice import LATTICES_WITH_TURNS, TURN_ORDERS, from_document
from puzzlec.geometry.wrapping import Wrap, WrapError
from puzzlec.ir import (
    Cost,
    Expectation,
    Location,
    Measure,
    Meeting,
    MeetingKind,
    NamedRegion,
    Payer,
    Piece,
    Puzzle,
    RegionRule,
    Rule,
    RuleKind,
)
from puzzlec.ir.location import ANY, Address, address_text
from puzzlec.ir.paints import PAINTS, paint_advice, paint_of
from puzzlec.ir.puzzle import MAX_DIGITS, PuzzleColours
from puzzlec.ir.rules import MAX_WITHOUT_CROSSROADS, MEETING_RELATIONS, MovementRules, PuzzleRules
from puzzlec.language.lattice_file import MAX_FILE_BYTES, other_lattice
from puzzlec.language.lattice_schema import lattice_document
from puzzlec.language.yaml_tree import MAX_YAML_VALUES, YamlNode

REQUIRED_KEYS = ("lattice", "locations", "pieces")
OPTIONAL_KEYS = (
    "title",
    "colours",
    "allowed",
    "empty",
    "rules",
    "frame",
    "mates",
    "crossing",
    "wraps",
    "regions",
    "region_rules",
    "meetings",
    "together",
    "walls",
    "immovable",
    "turns_allowed",
    "costs",
    "expected",
)
_PIECE_KEYS = ("low", "high", "cells", "colours", "turns", "covers", "sides", "paint")

#: Largest distance of a coordinate from the origin: no board is larger.
MAX_COORDINATE = 2**30


def puzzle_of(members: dict[str, Any], checks: Checks, source: Source, report: Report) -> Puzzle | None:
    """Return the puzzle of an object, or None after an error.

    Errors of a custom lattice go into the report at once, with their positions in the source.
    """
    return _PuzzleReader(checks, source, report).puzzle(members)


def _plain(at: Address) -> Any:
    """Return an address as JSON has it."""
    return at if isinstance(at, str) else list(at)


class _PuzzleReader:
    def __init__(self, checks: Checks, source: Source, report: Report) -> None:
        self.checks, self.source, self.report = checks, source, report
        self.lattice: Lattice | None = None
        self.isometries: frozenset[Matrix] = frozenset()
        self.addresses: set[Address] = set()
        self.names: list[str] = []
        self.regions: dict[str, NamedRegion] = {}

    def puzzle(self, members: dict[str, Any]) -> Puzzle | None:
        checks = self.checks
        title = checks.text(members.get("title", ""), ("title",))
        if "lattice" not in members or not self.read_lattice(members["lattice"]):
            return None  # without a lattice, coordinates mean nothing
        colours = checks.several(members.get("colours", []), ("colours",), "names of colours", self.colour)
        checks.different(colours, ("colours",), "PZ276", lambda colour: f"duplicate colour `{colour}`")
        allowed = checks.pairs(members.get("allowed", []), ("allowed",), "colours", self.colour)
        locations = checks.several(members.get("locations"), ("locations",), "locations", self.location)
        places = [location.at for location in locations]
        checks.different(places, ("locations",), "PZ310", lambda place: f"duplicate location {address_text(place)}")
        self.addresses = set(places)
        pieces = checks.several(members.get("pieces"), ("pieces",), "pieces", self.piece)
        self.names = [piece.name for piece in pieces]
        checks.different(self.names, ("pieces",), "PZ301", lambda name: f"duplicate piece `{name}`")
        regions = checks.several(members.get("regions", []), ("regions",), "regions", self.named_region)
        self.check_regions([region.name for region in regions])
        self.regions = {region.name: region for region in regions}
        frame = members.get("frame")
        mates = checks.pairs(members.get("mates", []), ("mates",), "colours", self.colour)
        note_mates(mates, checks)
        for name, things, code in (("locations", locations, "PZ308"), ("pieces", pieces, "PZ309")):
            if not things and members.get(name) == []:
                checks.add(code, f"missing {name} of this puzzle", (name,))
        made: dict[str, Any] = {
            "colours": PuzzleColours(
                tuple(colours),
                frozenset(allowed),
                tuple(mates),
                None if frame is None else tuple(checks.several(frame, ("frame",), "colours", self.colour)),
            ),
            "regions": tuple(regions),
            "rules": self.rules_on_solutions(members),
            "movement": self.movement_rules(members, places),
            "costs": self.costs(members.get("costs", [])),
            "expected": self.expected(members.get("expected", [])),
            "wraps": tuple(checks.several(members.get("wraps", []), ("wraps",), "wraps", self.wrap)),
        }
        if checks.faults:
            return None
        puzzle = Puzzle(title, self.lattice, tuple(locations), tuple(pieces), **made)
        return puzzle if self.goes_around(puzzle) else None

    def read_lattice(self, value: Any) -> bool:
        """Take the lattice: a known one by its name, a custom one as an object, or none."""
        if value is None:
            return True
        if isinstance(value, dict):
            try:
                self.lattice = own_lattice(self.source, ("lattice",), value, self.checks)
            except PuzzleError as error:
                for diagnostic in error.diagnostics:
                    self.report.append(diagnostic)
        elif isinstance(value, str) and value in lattice_names():
            self.lattice = find_lattice(value)
        elif isinstance(value, str):
            self.checks.add(
                "PZ302",
                f"unknown lattice `{value[:40]}`",
                ("lattice",),
                note=f"lattices are {', '.join(lattice_names())}; a custom lattice is an object",
                help=other_lattice(value, lattice_names()),
            )
        else:
            self.checks.wrong(value, ("lattice",), "the name of a lattice, a lattice as an object, or `null`")
        if self.lattice is not None:
            self.isometries = frozenset(self.lattice.isometries)
        return self.lattice is not None

    def rules_on_solutions(self, members: dict[str, Any]) -> PuzzleRules:
        """Return what every solution must obey."""
        checks = self.checks
        return PuzzleRules(
            tuple(checks.several(members.get("rules", []), ("rules",), "rules", self.rule)),
            tuple(checks.several(members.get("region_rules", []), ("region_rules",), "rules", self.region_rule)),
            tuple(checks.several(members.get("meetings", []), ("meetings",), "rules", self.meeting)),
            checks.between(members.get("empty"), ("empty",)),
            checks.truth(members.get("crossing", False), ("crossing",)),
        )

    def movement_rules(self, members: dict[str, Any], places: list[Address]) -> MovementRules:
        """Return what holds when the puzzle is taken apart."""
        checks, wraps = self.checks, bool(members.get("wraps"))
        return MovementRules(
            together=tuple(checks.several(members.get("together", []), ("together",), "groups", self.group)),
            walls=tuple(self.walls(members.get("walls", []), places, wraps)),
            immovable=tuple(checks.several(members.get("immovable", []), ("immovable",), "names", self.piece_name)),
            turns_allowed=self.turns_allowed(members.get("turns_allowed", False), wraps),
        )

    def colour(self, value: Any, path: Path) -> str:
        return self.checks.text(value, path, "the name of a colour", empty=False)

    def address(self, value: Any, path: Path) -> Address:
        """Return a cell of the lattice, or a name without a lattice."""
        lattice = self.lattice
        if lattice is None:
            name = self.checks.text(value, path, "the name of a location (there is no lattice)")
            return name if isinstance(value, str) else way(path)
        size = lattice.coordinates
        nowhere = way(path)  # an error is reported once: no two such objects are equal
        if not isinstance(value, list):
            self.checks.wrong(value, path, f"a cell (a list of {counted(size, 'number')})")
            return nowhere
        if len(value) != size:
            self.checks.add(
                "PZ312",
                f"expected {size} coordinates in a cell of the lattice `{lattice.name}`, found {len(value)}",
                path,
                note=f"the last one is the kind of cell, 0 to {len(lattice.kinds) - 1}"
                if len(lattice.kinds) > 1
                else (),
            )
            return nowhere
        if set(map(type, value)) == {int} and min(value) >= -MAX_COORDINATE and max(value) <= MAX_COORDINATE:
            if len(lattice.kinds) > 1:
                self.checks.whole(value[-1], (*path, size - 1), 0, len(lattice.kinds) - 1, "the kind of a cell")
            return tuple(value)
        for at, entry in enumerate(value):
            self.checks.whole(entry, (*path, at), -MAX_COORDINATE, MAX_COORDINATE)
        return nowhere

    def location(self, value: Any, path: Path) -> Location:
        """Return a location: its address alone, or an object with a colour or a flag that it may stay empty."""
        if not isinstance(value, dict):
            return Location(self.address(value, path))
        members = self.checks.keys(value, path, "a location", ("at",), ("colour", "optional"))
        colour = members.get("colour")
        return Location(
            self.address(members["at"], (*path, "at")) if "at" in members else str(path[-1]),
            None if colour is None else self.colour(colour, (*path, "colour")),
            self.checks.truth(members.get("optional", False), (*path, "optional")),
        )

    def piece(self, value: Any, path: Path) -> Piece:
        """Return a piece: its shape and its orientations, or its placements."""
        checks = self.checks
        members = checks.keys(value, path, "a piece", ("name",), _PIECE_KEYS)
        low, high = checks.bounds(members, path)
        cells, colours = self.shape(members, path)
        turns = self.turns(members["turns"], (*path, "turns")) if "turns" in members else ()
        covers = members.get("covers")
        sides = checks.several(members.get("sides", []), (*path, "sides"), "colours", self.colour)
        piece = Piece(
            checks.text(members["name"], (*path, "name"), "the name of a piece", empty=False)
            if "name" in members
            else "",
            cells,
            colours,
            turns,
            None if covers is None else tuple(checks.several(covers, (*path, "covers"), "placements", self.cover)),
            low,
            high,
            tuple(sides),
            self.paint(members["paint"], (*path, "paint")) if "paint" in members else "",
        )
        self.shaped(piece, members, path)
        return piece

    def paint(self, value: Any, path: Path) -> str:
        """Return the colour of a piece in pictures."""
        word = self.checks.text(value, path, "a colour")
        if word and not paint_of(word):
            note = f"colours are {', '.join(PAINTS)}"
            self.checks.add("PZ385", f"unknown colour `{word}`", path, note=note, help=paint_advice(word))
            return ""
        return word

    def group(self, value: Any, path: Path) -> tuple[tuple[str, int], ...]:
        """Return a group of pieces that may stay together, with the copies of each."""
        return tuple(self.checks.several(value, path, "pieces", self.mate))

    def mate(self, value: Any, path: Path) -> tuple[str, int]:
        checks = self.checks
        members = checks.keys(value, path, "a piece of a group", ("piece",), ("copies",))
        name = self.piece_name(members.get("piece", ""), (*path, "piece"))
        copies = members.get("copies", ANY)
        checks.whole(copies, (*path, "copies"), 1, ANY, "a number of copies")
        return name, copies

    def costs(self, value: Any) -> tuple[Cost[Address], ...]:
        """Return costs; note those of unknown pieces and colours."""
        if isinstance(value, list):
            value = [self.with_cells(cost, ("costs", number)) for number, cost in enumerate(value)]
        entries = self.checks.costs(value, ("costs",), self.address)
        for number, cost in enumerate(entries):
            if cost.payer is Payer.PIECE and cost.name:
                self.piece_name(cost.name, ("costs", number, "name"))
            elif cost.payer is Payer.COLOUR:
                self.colour(cost.name, ("costs", number, "name"))
        return entries

    def expected(self, value: Any) -> tuple[Expectation, ...]:
        """Return the numbers that the author promises."""
        expectations = self.checks.several(value, ("expected",), "promised numbers", self.expectation)
        measures = [expectation.measure.value for expectation in expectations]
        self.checks.different(measures, ("expected",), "PZ276", lambda measure: f"duplicate measure `{measure}`")
        return tuple(expectations)

    def expectation(self, value: Any, path: Path) -> Expectation:
        """Return a promised number: null for an unknown one, a text for a level."""
        checks = self.checks
        members = checks.keys(value, path, "a promised number", ("value",), ("measure", "at_least"))
        word = members.get("measure", "distinct")
        words = [measure.value for measure in Measure]
        measure = Measure(checks.choice(word, (*path, "measure"), words, "a measure") or "raw")
        number = members.get("value")
        if measure is Measure.LEVEL:
            if not (isinstance(number, str) and re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9}){0,99}", number, re.ASCII)):
                checks.wrong(number, (*path, "value"), 'a level such as `"5.3"`')
        elif number is not None or measure is not Measure.DISTINCT:
            least = -(10**MAX_DIGITS) if measure in (Measure.MIN_COST, Measure.MAX_COST) else 0
            checks.whole(number, (*path, "value"), least, 10**MAX_DIGITS, "a number")
        return Expectation(number, measure, checks.truth(members.get("at_least", False), (*path, "at_least")))

    def piece_name(self, value: Any, path: Path) -> str:
        """Return the name of a piece of the puzzle."""
        name = self.checks.text(value, path, "the name of a piece", empty=False)
        if isinstance(name, str) and name not in self.names:
            self.checks.add("PZ306", f"unknown piece `{name}`", path, help=suggestion(name, self.names))
        return name

    def walls(self, value: Any, places: list[Address], wrapped: bool) -> list[Any]:
        """Return the cells of walls; note a wall on a location, and walls that the board cannot have."""
        cells = self.checks.several(value, ("walls",), "cells", self.address)
        if cells and (self.lattice is None or wrapped):
            which = "a board that wraps around" if wrapped else "a puzzle without geometry"
            self.checks.add("PZ705", f"{which} cannot have a wall", ("walls",))
        self.checks.different(cells, ("walls",), "PZ310", lambda cell: f"duplicate cell {address_text(cell)}")
        locations = set(places)
        for number, address in enumerate(cells):
            if address in locations and not self.checks.faults:
                message = f"the wall covers the location {address_text(address)}"
                self.checks.add("PZ704", message, ("walls", number))
        return cells

    def turns_allowed(self, value: Any, wrapped: bool) -> bool:
        """Return whether pieces turn; note turns that the board cannot have."""
        allowed = self.checks.truth(value, ("turns_allowed",))
        name = self.lattice.name if self.lattice is not None else "none"
        if allowed and (wrapped or name not in TURN_ORDERS):
            where = "a board that wraps around" if wrapped else f"the lattice `{name}`"
            note = () if wrapped else LATTICES_WITH_TURNS
            self.checks.add("PZ720", f"pieces cannot turn on {where}", ("turns_allowed",), note=note)
        return allowed

    def shaped(self, piece: Piece, members: dict[str, Any], path: Path) -> None:
        """Note a piece without cells, or with sides that do not match its cell."""
        checks, lattice = self.checks, self.lattice
        if not isinstance(members.get("name"), str):
            return
        if "covers" not in members:
            missing = [key for key in ("cells", "turns") if key not in members]
            if missing and lattice is not None:
                help = "add `turns` with `free`, `one-sided`, `fixed`, or matrices" if missing == ["turns"] else ()
                named = " and ".join(f"`{key}`" for key in missing)
                checks.add("PZ274", f"missing {named} of piece `{piece.name}`, which has no `covers`", path, help=help)
            elif lattice is None:
                checks.add("PZ274", f"missing key `covers` of piece `{piece.name}`: there is no lattice", path)
            for key in ("cells", "turns"):
                if members.get(key) == []:
                    checks.add("PZ276", f"missing {key} of piece `{piece.name}`", (*path, key))
        if piece.sides and lattice is not None and not checks.faults:
            sides = len(lattice.kinds[0].neighbours)
            if lattice.of_edges:
                checks.add("PZ276", "a stick has no sides that could have colours", (*path, "sides"))
            elif len(piece.cells) != 1 or (len(lattice.kinds) > 1 and piece.cells[0][-1] != 0):
                what = lattice.kinds[0].name
                checks.add(
                    "PZ276", f"a piece with sides must be one cell of the first kind, `{what}`", (*path, "sides")
                )
            elif len(piece.sides) != sides:
                said = f"expected {sides} sides of a {lattice.kinds[0].name}, found {len(piece.sides)}"
                checks.add("PZ336", said, (*path, "sides"))
        elif piece.sides and lattice is None:
            checks.add("PZ276", "missing lattice: a piece with sides needs one", (*path, "sides"))

    def shape(self, members: dict[str, Any], path: Path) -> tuple[tuple[Any, ...], tuple[str | None, ...]]:
        """Return the cells of a piece and their colours."""
        checks = self.checks
        if self.lattice is None and members.get("cells"):
            checks.add(
                "PZ276",
                "missing lattice: a piece of cells needs one",
                (*path, "cells"),
                help="list its placements: `covers`",
            )
            return (), ()
        at = (*path, "cells")
        cells = tuple(checks.several(members.get("cells", []), at, "cells", self.address))
        checks.different(cells, at, "PZ310", lambda cell: f"duplicate cell {address_text(cell)}")
        if "colours" not in members:
            return cells, (None,) * len(cells)

        def colour(value: Any, path: Path) -> str | None:
            return None if value is None else self.colour(value, path)

        colours = tuple(checks.several(members["colours"], (*path, "colours"), "colours (`null`: plain)", colour))
        if len(colours) != len(cells) and isinstance(members["colours"], list):
            said = f"expected {counted(len(cells), 'colour')}, one for each cell, found {len(colours)}"
            checks.add("PZ276", said, (*path, "colours"), note="a plain cell has the colour `null`")
        return cells, colours

    def turns(self, value: Any, path: Path) -> tuple[Matrix, ...]:
        """Return the rotations and reflections of a piece: those of a freedom, or the listed matrices."""
        words = [freedom.value for freedom in Freedom]
        if not isinstance(value, list):
            word = self.checks.choice(value, path, words, "a list of matrices, or one of the words")
            return self.lattice.turns(Freedom(word)) if word and self.lattice else ()

        def matrix(rows: Any, at: Path) -> Matrix:
            try:
                turn = tuple(tuple(row) for row in rows)
                good = turn in self.isometries and all(type(number) is int for row in turn for number in row)
            except TypeError:
                good, turn = False, ()
            if not good:
                self.checks.add(
                    "PZ276", f"expected a rotation or reflection of the lattice, found {kind(rows)}", at,
                    note="write an integer matrix, row by row, that maps the lattice to itself",
                )  # fmt: skip
            return turn

        return tuple(self.checks.several(value, path, "matrices", matrix))

    def cover(self, value: Any, path: Path) -> tuple[Address, ...]:
        """Return the addresses of a listed placement; each must be a location."""
        addresses = tuple(self.checks.several(value, path, "locations", self.address))
        for at, address in enumerate(addresses):
            if address not in self.addresses and not self.checks.faults:
                self.checks.add("PZ311", f"unknown location {address_text(address)}", (*path, at))
        self.checks.different(addresses, path, "PZ205", lambda location: f"duplicate location {address_text(location)}")
        return addresses

    def rule(self, value: Any, path: Path) -> Rule:
        """Return a rule about the placements of a piece."""
        checks = self.checks
        members = checks.keys(value, path, "a rule", ("kind", "piece", "region"), ("sides",))
        word = checks.choice(
            members.get("kind", "fix"), (*path, "kind"), [kind.value for kind in RuleKind], "a kind of rule"
        )
        piece = checks.text(members.get("piece", ""), (*path, "piece"), "the name of a piece")
        if piece not in self.names and isinstance(members.get("piece"), str):
            checks.add("PZ306", f"unknown piece `{piece}`", (*path, "piece"))
        region = self.cells(members.get("region", []), (*path, "region"))
        sides = checks.several(members.get("sides", []), (*path, "sides"), "colours", self.colour)
        return Rule(RuleKind(word or "fix"), piece, tuple(region), tuple(sides))

    def named_region(self, value: Any, path: Path) -> NamedRegion:
        """Return a region with a name."""
        checks = self.checks
        members = checks.keys(value, path, "a region", ("name", "cells"), ())
        name = checks.text(members.get("name", ""), (*path, "name"), "the name of a region")
        cells = checks.several(members.get("cells", []), (*path, "cells"), "cells", self.address)
        checks.different(cells, (*path, "cells"), "PZ205", lambda cell: f"duplicate cell {address_text(cell)}")
        return NamedRegion(name, tuple(cells))

    def check_regions(self, names: list[str]) -> None:
        """Note two regions with one name, and a region with the name of a piece."""
        self.checks.different(names, ("regions",), "PZ371", lambda name: f"duplicate region `{name}`")
        for number, name in enumerate(names):
            if name in self.names:
                said = f"`{name}` is the name of a piece and of a region"
                self.checks.add("PZ371", said, ("regions", number, "name"))

    def cells(self, value: Any, path: Path) -> tuple[Address, ...]:
        """Return the cells of a region: a list, or the name of a region."""
        if isinstance(value, str):
            if value in self.regions:
                return self.regions[value].cells
            self.checks.add("PZ362", f"unknown region `{value[:40]}`", path, help=suggestion(value, self.regions))
            return ()
        return tuple(self.checks.several(value, path, "locations", self.address))

    def with_cells(self, value: Any, path: Path) -> Any:
        """Return an object with the cells of its region instead of the name."""
        if not isinstance(value, dict) or not isinstance(value.get("region"), str):
            return value
        return {**value, "region": list(map(_plain, self.cells(value["region"], (*path, "region"))))}

    def region_rule(self, value: Any, path: Path) -> RegionRule[Address]:
        """Return a rule on a region of the board."""
        rule = self.checks.region_rule(self.with_cells(value, path), path, self.address)
        if not rule.name and isinstance(value, dict) and isinstance(value.get("region"), str):
            rule = replace(rule, name=value["region"])
        for at, address in enumerate(rule.region):
            if address not in self.addresses and not self.checks.faults:
                self.checks.add("PZ311", f"unknown location {address_text(address)}", (*path, "region", at))
        if rule.piece and rule.piece not in self.names:
            self.checks.add("PZ306", f"unknown piece `{rule.piece}`", (*path, "piece"))
        return rule

    def meeting(self, value: Any, path: Path) -> Meeting:
        """Return a rule about how pieces meet."""
        checks = self.checks
        members = checks.keys(
            value,
            path,
            "a rule about how pieces meet",
            ("kind",),
            ("pieces", "motion", "corners", "where", "region", "high"),
        )
        kinds = [kind.value for kind in MeetingKind]
        kind = checks.choice(members.get("kind", kinds[0]), (*path, "kind"), kinds, "a kind of rule") or kinds[0]
        pieces = checks.several(members.get("pieces", []), (*path, "pieces"), "names", self.piece_name)
        checks.different(pieces, (*path, "pieces"), "PZ205", lambda name: f"duplicate piece `{name}`")
        where = ""
        if "where" in members:
            where = checks.choice(members["where"], (*path, "where"), MEETING_RELATIONS, "a relation") or ""
        made = Meeting(
            MeetingKind(kind),
            tuple(pieces),
            checks.text(members.get("motion", ""), (*path, "motion")),
            checks.truth(members.get("corners", False), (*path, "corners")),
            where,
            self.cells(members.get("region", []), (*path, "region")),
            checks.whole(members.get("high", MAX_WITHOUT_CROSSROADS), (*path, "high"), 1, MAX_COORDINATE),
        )
        if why := made.wrong():
            checks.add("PZ276", why, path)
        return made

    def wrap(self, value: Any, path: Path) -> Wrap:
        """Return a vector by which the board wraps around."""
        checks = self.checks
        members = checks.keys(value, path, "a wrap", ("vector",), ("twisted",))
        dimension = self.lattice.dimension if self.lattice else 0
        vector = checks.several(
            members.get("vector", []), (*path, "vector"), "numbers",
            lambda coordinate, at: checks.whole(coordinate, at, -MAX_COORDINATE, MAX_COORDINATE),
        )  # fmt: skip
        if self.lattice is None:
            checks.add("PZ276", "missing lattice: a board that wraps around needs one", path)
        elif len(vector) != dimension and isinstance(members.get("vector"), list):
            said = f"this vector has {counted(len(vector), 'number')}, the lattice {counted(dimension, 'dimension')}"
            checks.add("PZ312", said, (*path, "vector"))
        return Wrap(tuple(vector), checks.truth(members.get("twisted", False), (*path, "twisted")))

    def goes_around(self, puzzle: Puzzle) -> bool:
        """Note invalid vectors, and tiles on a board where locations meet twice; return whether all is valid."""
        try:
            wrapping = puzzle.wrapping
        except WrapError as error:
            number = min(error.number, len(puzzle.wraps) - 1)
            self.checks.add("PZ337", f"the board cannot wrap around like this: {error.why}", ("wraps", number))
            return False
        if wrapping is None or not any(piece.sides for piece in puzzle.pieces):
            return True
        why = wrapping.against_tiles(puzzle.points)
        if why:
            self.checks.add("PZ339", f"pieces with sides do not fit this board: {why}", ("wraps",))
        return not why


def own_lattice(source: Source, path: Path, value: dict[str, Any], checks: Checks) -> Lattice | None:
    """Return the lattice of an object, checked and proved like one from a file.

    Returns None and notes an error for an invalid name. Raises PuzzleError with all other errors.
    """
    rest = {key: member for key, member in value.items() if key != "name"}
    if "name" not in value:
        checks.add("PZ274", "missing key `name` of the lattice", path)
        return None
    name = checks.text(value["name"], (*path, "name"), "the name of the lattice", empty=False)
    whole = places(source, [(path, False)])[path, False]
    if len(json.dumps(rest)) > MAX_FILE_BYTES:
        raise fail("PZ347", f"the lattice is too large (limit {MAX_FILE_BYTES // 2**20} MB)", whole)
    paths = [(way, of_key) for way in _ways(rest, path) for of_key in (False, True)]
    if len(paths) > 2 * MAX_YAML_VALUES:
        raise fail("PZ347", f"the lattice has too many values (limit {MAX_YAML_VALUES:,})", whole)
    tree = _node(rest, path, places(source, paths))
    report = Report()
    lattice = from_document(name, unless_errors(report, lattice_document(tree, report)))
    if name in lattice_names():
        if lattice == find_lattice(name):
            return lattice
        checks.add("PZ276", f"another lattice is named `{name}`", (*path, "name"), help="choose another name")
        return None
    from puzzlec.geometry.proving import faults

    for fault in faults(lattice):
        report.add("PZ346", fault.why, tree.at(fault.where).head, help=fault.help or ())
    report.stop_on_errors()
    return lattice


def _ways(value: Any, path: Path) -> list[Path]:
    """Return the paths to a value and to everything in it."""
    paths = [path]
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, entry in steps:
        paths.extend(_ways(entry, (*path, step)))
    return paths


def _node(value: Any, path: Path, spans: dict[tuple[Path, bool], Span]) -> YamlNode:
    """Return a value as a YAML tree with its positions."""
    span = spans[path, False]
    if isinstance(value, dict):
        inner = {key: _node(member, (*path, key), spans) for key, member in value.items()}
        return YamlNode(span, inner, {key: spans[(*path, key), True] for key in value})
    if isinstance(value, list):
        return YamlNode(span, [_node(entry, (*path, at), spans) for at, entry in enumerate(value)])
    if isinstance(value, bool):
        return YamlNode(span, str(value).lower())
    return YamlNode(span, value)
