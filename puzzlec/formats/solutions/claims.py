"""Claimed solutions of a puzzle: files in the formats in which `puzzlec solve` prints them.

The text is read and not judged: a claimed piece may be where it cannot be, and a location may be covered twice. Text
that is invalid, or names an unknown piece, location or placement, is an error of that one solution. Lines that begin
with `#` are comments. An object with a duplicate key is refused, because programs differ in which value they take.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source, Span, counted, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.formats.json.checks import Checks
from puzzlec.formats.json.places import Path
from puzzlec.formats.solutions.states import PlacementStates, no_states
from puzzlec.ir import Fitting
from puzzlec.ir.fitting import PLAIN, Colours, pieces_named
from puzzlec.ir.solution import EMPTY_SIGN


class SaidPlacement(NamedTuple):
    """A placement in JSON: a piece, and its placement by number or by locations (numbers or names)."""

    piece: str
    number: int | None
    locations: tuple[int | str, ...] | None
    sides: tuple[str, ...] | None
    colours: tuple[str | None, ...] | None


class JsonSolution(NamedTuple):
    """A solution in JSON: placements, a piece (None: it stays empty) for each location, or both."""

    placements: tuple[SaidPlacement, ...] | None
    names_on: tuple[str | None, ...] | None


def said_in_json(line: Span, report: Report, locations: int) -> JsonSolution | None:
    """Return the solution of a line; errors of its form go into the report."""
    try:
        data = json.loads(line.text, object_pairs_hook=_object)
    except _TwiceError as error:
        advice = "remove one of them: a key must be unique"
        report.add("PZ602", f"duplicate key {json.dumps(error.args[0])[:60]}", line, help=advice)
        return None
    except json.JSONDecodeError as error:
        at = line.source.span(line.start + error.pos)
        report.add("PZ602", f"invalid JSON: {error.msg[:1].lower()}{error.msg[1:]}", at)
        return None
    except (RecursionError, ValueError):  # nested too deeply, or a number of very many digits
        report.add("PZ602", "cannot read this JSON", line)
        return None
    given = _members(data)
    checks, of_names = _SolutionChecks(), _SolutionChecks()
    names = None if "locations" not in given else tuple(of_names.names(given["locations"], ("locations",)))
    placements = given.get("placements")
    if not isinstance(placements, list) and (names is None or of_names.faults):
        what = 'missing `"placements"` or `"locations"`, as lists'
        report.add("PZ602", what, line)
    elif of_names.faults:
        report.add("PZ602", 'expected a list in `"locations"` with a piece, or null, for each location', line)
    elif names is not None and len(names) != locations:
        report.add("PZ605", f"expected {locations} entries, one for each location, found {len(names)}", line)
    elif placements is None:
        return JsonSolution(None, names)
    elif not isinstance(placements, list):
        report.add("PZ602", 'expected a list in `"placements"`', line)
    else:
        said = tuple(checks.several(placements, (), "placements", checks.placement))
        if not checks.faults:
            return JsonSolution(said, names)
        number = int(checks.faults[0].path[0])
        report.add(
            "PZ602",
            f"invalid placement {json.dumps(placements[number])[:60]}",
            line,
            note='it is an object with a `"piece"`, and `"locations"` (a list) or `"placement"` (a number)',
        )
    return None


class _TwiceError(ValueError):
    """A duplicate key in an object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raise _TwiceError for a duplicate key."""
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise _TwiceError(name)
        members[name] = value
    return members


def _members(value: Any) -> dict[str, Any]:
    """Return the members of an object, unless they are null; other values have none."""
    return {key: member for key, member in value.items() if member is not None} if isinstance(value, dict) else {}


#: No number of JSON has more digits: Python refuses them.
_MAX_NUMBER = 10**4300


class _SolutionChecks(Checks):
    """The checks of a solution in JSON: null is a missing member, unknown members are ignored, and any name will do."""

    def names(self, value: Any, path: Path) -> list[str | None]:
        """Return a list of names of pieces or of colours, or of nulls."""
        return self.several(value, path, "names", self.name)

    def name(self, value: Any, path: Path) -> str | None:
        """Return a name or null."""
        return value if value is None or isinstance(value, str) else self.text(value, path)

    def place(self, value: Any, path: Path) -> int | str:
        """Return the number or the name of a location."""
        return value if type(value) is int or isinstance(value, str) else self.text(value, path)

    def placement(self, value: Any, path: Path) -> SaidPlacement:
        """Return a placement."""
        given = _members(value)
        if "placement" not in given and "locations" not in given:
            self.add("PZ602", "missing placement or locations", path)
        read: dict[str, Callable[[Any, Path], Any]] = {
            "placement": lambda number, at: self.whole(number, at, 0, _MAX_NUMBER),
            "locations": lambda places, at: tuple(self.several(places, at, "locations", self.place)),
            "sides": lambda sides, at: tuple(self.texts(sides, at, "colours", lines=True)),
            "colours": lambda colours, at: tuple(self.names(colours, at)),
        }
        values = (read[key](given[key], (*path, key)) if key in given else None for key in read)
        return SaidPlacement(self.text(given.get("piece"), (*path, "piece"), lines=True), *values)


#: The notations: lines of JSON; a line for each piece; the two of DPF; and pieces in states.
NOTATIONS = ("jsonl", "list", "orientations", "locations", "states")

#: Lines that are examined to find the notation of a file.
MAX_NOTATION_LINES = 1000


@dataclass(frozen=True)
class Laid:
    """A claimed placement: the pieces with its name, and its placement as far as it is known.

    ``index`` is the number of the placement, and ``locations`` are the covered ones in ascending order. ``sides`` has
    the colours of a tile, ``colours`` those of the piece on its locations. None is unknown. ``name`` is the name of the
    piece.
    """

    name: str
    pieces: tuple[int, ...]
    index: int | None = None
    locations: tuple[int, ...] | None = None
    sides: tuple[str, ...] | None = None
    colours: Colours | None = None


class Claim(NamedTuple):
    """A claimed solution and its position: placements of pieces, or a name for each location.

    JSON may have both, and then they must agree. ``faults`` are the errors of an invalid claim, which has nothing else.
    """

    span: Span
    laid: tuple[Laid, ...] | None
    names_on: tuple[str | None, ...] | None = None
    faults: tuple[Diagnostic, ...] = ()


def read_claims(source: Source, fitting: Fitting, notation: str | None = None) -> list[Claim]:
    """Return the claimed solutions of a text; the notation is found if it is not given.

    Invalid text is a claim with errors. Raises PuzzleError for a text without solutions or in an unknown notation,
    ValueError for an unknown notation as an argument.
    """
    if notation is not None and notation not in NOTATIONS:
        raise ValueError(f"unknown notation {notation!r}")
    reader = _SolutionReader(source, fitting)
    return list(reader.claims(notation or reader.notation()))


def notation_of(source: Source, fitting: Fitting) -> str:
    """Return the notation of a text; raise PuzzleError if the text is empty or the notation unknown."""
    return _SolutionReader(source, fitting).notation()


class _SolutionReader:
    """Reads one file of solutions of one fitting."""

    def __init__(self, source: Source, fitting: Fitting) -> None:
        self.source, self.fitting = source, fitting
        # The errors of the current solution.
        self.report = Report()

    @cached_property
    def pieces(self) -> dict[str, tuple[int, ...]]:
        """The pieces by their names."""
        return pieces_named(self.fitting)

    @cached_property
    def longest(self) -> int:
        """The length of the longest name of a piece."""
        return max(map(len, self.pieces), default=0)

    @cached_property
    def number(self) -> dict[str, int]:
        """The locations by their names."""
        return {self.fitting.location_name(number): number for number in range(self.fitting.locations)}

    def lines(self) -> Iterator[Span]:
        """Yield the lines that are not comments, without spaces at their ends, including empty ones."""
        start = 0
        for line in self.source.text.split("\n"):
            bare = line.strip()
            if not bare.startswith("#"):
                begin = start + len(line) - len(line.lstrip()) if bare else start
                yield self.source.span(begin, begin + len(bare))
            start += len(line) + 1

    def notation(self) -> str:
        """Return the notation of the file; raise PuzzleError if it is unknown."""
        some = [
            line
            for line, _ in zip((line for line in self.lines() if line.text), range(MAX_NOTATION_LINES), strict=False)
        ]
        if not some:
            raise fail("PZ003", "missing solutions in this text", file=self.source.name)
        content = [line for line in some if line.text != EMPTY_SIGN]
        if not content:  # solutions without a piece: `-` is the only entry of a line, so several notations may fit
            entries = (len(self.fitting.pieces), self.fitting.locations)
            return "orientations" if entries[0] == 1 else "locations" if entries[1] == 1 else "list"
        first = next((line for line in content if self._tells(line.text)), content[0])
        if first.text.startswith("{"):
            return "jsonl"
        name, colon = self._piece_of_line(first.text)
        # With one location, a name alone is the piece on it.
        if (name in self.pieces and (colon >= 0 or self.fitting.locations != 1)) or re.match(
            r"[^\s:]+:(\s|$)", first.text
        ):
            return "list"
        words = [line.text.split() for line in some]
        numbers = all(re.fullmatch(r"-|\d+(,\d+)*", word) for row in words for word in row)
        names = all(word == "-" or word in self.pieces for row in words for word in row)
        number = len(first.text.split())
        of_pieces, of_locations = number == len(self.fitting.pieces), number == self.fitting.locations
        if of_pieces and of_locations and numbers and names:
            raise fail(
                "PZ607",
                "these may be numbers of placements, or the pieces on the locations",
                first,
                note=f"there are {number} pieces and the same number of locations, and the names of pieces are numbers",
                help="add `--solutions-from orientations` or `--solutions-from locations`",
            )
        if of_pieces and (numbers or not of_locations):
            return "orientations"
        if of_locations:
            return "locations"
        raise fail(
            "PZ601",
            "unknown notation of a solution",
            first,
            note=f"expected a line of JSON, a line such as `{self.fitting.piece_name(0)}: "
            f"{self.fitting.location_name(0)}` for each piece, a number of a placement for each of "
            f"{counted(len(self.fitting.pieces), 'piece')}, or a piece for each of "
            f"{counted(self.fitting.locations, 'location')}"
            if self.fitting.pieces and self.fitting.locations
            else (),
            help="write the solutions with `puzzlec solve --to`",
        )

    def _tells(self, line: str) -> bool:
        """Whether a line may be a solution in some notation; the first lines may be invalid."""
        widths = (len(self.fitting.pieces), self.fitting.locations)
        return line.startswith("{") or self._piece_of_line(line)[1] >= 0 or len(line.split()) in widths

    def claims(self, notation: str) -> Iterator[Claim]:
        """Yield the claims of the file."""
        if notation == "list":
            for block in self._blocks():
                yield self._claim(self.source.span(block[0].start, block[-1].end), partial(self._block, block))
            return
        if notation == "states" and (reason := no_states(self.fitting)):
            raise fail("PZ601", f"no pieces in states: {reason}", file=self.source.name)
        read = {
            "jsonl": self._of_json, "orientations": self._orientations, "locations": self._on, "states": self._in_states
        }[notation]  # fmt: skip
        for line in self.lines():
            if line.text:
                yield self._claim(line, partial(read, line))

    def _claim(self, span: Span, read: Callable[[], Claim | None]) -> Claim:
        """Return one claimed solution, or its errors."""
        self.report = Report()
        try:
            claim = read()
        except PuzzleError as error:  # this error is enough
            return Claim(span, None, None, error.diagnostics)
        if claim is None or self.report.errors:
            return Claim(span, None, None, tuple(self.report.diagnostics))
        return claim

    # DPF's notations

    def _orientations(self, line: Span) -> Claim | None:
        """Read numbers of placements: several of a piece with commas, `-` for none."""
        words = words_of(line)
        if not self._as_many(line, words, len(self.fitting.pieces), "piece"):
            return None
        laid: list[Laid] = []
        for piece, word in enumerate(words):
            if word.text != "-" and not re.fullmatch(r"\d{1,9}(,\d{1,9})*", word.text):
                self.report.add("PZ606", f"expected the number of a placement, found `{word.text}`", word)
                continue
            numbers = map(int, word.text.split(",")) if word.text != "-" else ()
            there = [index for index in numbers if self._has_placement(piece, index, word)]
            laid += [Laid(self.fitting.piece_name(piece), (piece,), index) for index in there]
        return Claim(line, tuple(laid))

    def _on(self, line: Span) -> Claim | None:
        """Read the piece on each location, `-` for a location that stays empty."""
        words = words_of(line)
        if not self._as_many(line, words, self.fitting.locations, "location"):
            return None
        for word in {word.text: word for word in reversed(words) if word.text != "-"}.values():
            self._known_piece(word.text, word)
        return Claim(line, None, tuple(None if word.text == "-" else word.text for word in words))

    @cached_property
    def states(self) -> PlacementStates:
        """The states of all placements."""
        return PlacementStates(self.fitting)

    def _in_states(self, line: Span) -> Claim | None:
        """Read pieces in states, each on the first cell that those before it leave."""
        laid: list[Laid] = []
        covered: set[int] = set()
        pieces = len(self.fitting.pieces)
        for word in words_of(line):
            if not re.fullmatch(r"\d{2,9}", word.text) or not 1 <= int(word.text[:-1]) <= pieces or word.text[-1] > "7":
                message = f"expected a piece from 1 to {pieces} and a state from 0 to 7, found `{word.text}`"
                self.report.add("PZ606", message, word, help="write `26` for piece 2 in state 6")
                return None
            piece, state = int(word.text[:-1]) - 1, int(word.text[-1])
            free = ((rank, place) for rank, place in enumerate(self.states.order) if place not in covered)
            rank, first = next(free, (-1, -1))
            if rank < 0:
                self.report.add("PZ606", f"no location is left for piece `{self.fitting.piece_name(piece)}`", word)
                return None
            index = self.states.placement(piece, state, rank)
            if index is None:
                name, where = self.fitting.piece_name(piece), self.fitting.location_name(first)
                self.report.add("PZ606", f"piece `{name}` in state {state} does not fit at {where}", word)
                return None
            covered.update(self.fitting.pieces[piece].placements.row(index))
            laid.append(Laid(self.fitting.piece_name(piece), (piece,), index))
        return Claim(line, tuple(laid))

    def _as_many(self, line: Span, words: list[Span], number: int, what: str) -> bool:
        if len(words) != number:
            self.report.add(
                "PZ605",
                f"expected {number} entries, one for each {what}, found {len(words)}",
                line,
            )
        return len(words) == number

    def _has_placement(self, piece: int, index: int, at: Span) -> bool:
        count = len(self.fitting.pieces[piece].placements)
        if index >= count:
            name = self.fitting.piece_name(piece)
            what = f"they are numbered 0 to {count - 1}" if count else "it has none"
            self.report.add("PZ606", f"unknown placement {index} of piece `{name}` (numbered from 0)", at, note=what)
        return index < count

    # A line for each piece

    def _blocks(self) -> Iterator[list[Span]]:
        """Yield the lines of each solution, separated by empty lines."""
        block: list[Span] = []
        for line in self.lines():
            if line.text:
                block.append(line)
            elif block:
                yield block
                block = []
        if block:
            yield block

    def _block(self, lines: list[Span]) -> Claim:
        if [line.text for line in lines] == [EMPTY_SIGN]:
            return Claim(lines[0], ())
        laid = [piece for piece in map(self._line, lines) if piece is not None]
        return Claim(self.source.span(lines[0].start, lines[-1].end), tuple(laid))

    def _piece_of_line(self, text: str) -> tuple[str, int]:
        """Return the name at the beginning of a line, and the position of its colon (-1: none)."""
        colon = text.rfind(":", 0, self.longest + 1)  # a name may contain colons, and a line may have very many of them
        while colon >= 0:
            if text[:colon] in self.pieces:
                return text[:colon], colon
            colon = text.rfind(":", 0, colon)
        first = text.find(":")
        return (text[:first], first) if first >= 0 else (text, -1)

    def _line(self, line: Span) -> Laid | None:
        """Read a piece, a colon, its locations, and after `sides` or `colours` those of its sides or cells."""
        name, colon = self._piece_of_line(line.text)
        at = self.source.span(line.start, line.start + max(1, len(name)))
        if colon < 0:
            self.report.add("PZ602", "expected a piece, a colon and its locations", at)
            return None
        words = [
            self.source.span(line.start + colon + 1 + m.start(), line.start + colon + 1 + m.end())
            for m in _words(line.text[colon + 1 :])
        ]
        pieces = self._known_piece(name, at)
        piece = self.fitting.pieces[pieces[0]] if pieces else None
        keyword = "sides" if piece and piece.sides else "colours" if piece and piece.colours else None
        place = next((place for place, word in enumerate(words) if word.text == keyword), len(words))
        colours = tuple(word.text for word in words[place + 1 :]) if place < len(words) else None
        locations = [self._known_location(word.text, word) for word in words[:place]]
        if not pieces or None in locations:
            return None
        places = [entry for entry in locations if entry is not None]
        if keyword == "sides" or colours is None:
            return Laid(name, pieces, None, tuple(sorted(places)), colours)
        return _coloured(Laid(name, pieces), places, [None if colour == PLAIN else colour for colour in colours])

    # JSON

    def _of_json(self, line: Span) -> Claim | None:
        """Read a line of JSON: the placements, the names on the locations, or both."""
        said = said_in_json(line, self.report, self.fitting.locations)
        if said is None:
            return None
        if not all(self._known_piece(name, line) for name in dict.fromkeys(said.names_on or ()) if name is not None):
            return None
        if said.placements is None:
            return Claim(line, None, said.names_on)
        laid = []
        for placement in said.placements:
            pieces = self._known_piece(placement.piece, line)
            places = (
                None if placement.locations is None else [self._place(place, line) for place in placement.locations]
            )
            if not pieces or (places is not None and None in places):
                return None
            number = placement.number
            if number is not None and all(number >= len(self.fitting.pieces[piece].placements) for piece in pieces):
                self._has_placement(pieces[0], number, line)  # reports the error
                return None
            locations = None if places is None else [place for place in places if place is not None]
            placed = Laid(
                placement.piece,
                pieces,
                number,
                None if locations is None else tuple(sorted(locations)),
                placement.sides,
            )
            laid.append(
                placed
                if locations is None or placement.colours is None
                else _coloured(placed, locations, placement.colours)
            )
        return Claim(line, tuple(laid), said.names_on)

    def _place(self, place: int | str, at: Span) -> int | None:
        """Return the number of a location from its number or its name."""
        if isinstance(place, str):
            return self._known_location(place, at)
        if not 0 <= place < self.fitting.locations:
            last = self.fitting.locations - 1
            self.report.add("PZ604", f"unknown location {place}", at, note=f"locations are numbered 0 to {last}")
            return None
        return place

    # Names

    def _known_piece(self, name: str, at: Span) -> tuple[int, ...]:
        return known_piece(name, self.pieces, at, self.report)

    def _known_location(self, name: str, at: Span) -> int | None:
        if name not in self.number:
            self.report.add("PZ604", f"unknown location `{name}`", at, help=suggestion(name, self.number))
        return self.number.get(name)


def known_piece(name: str, pieces: Mapping[str, tuple[int, ...]], at: Span, report: Report) -> tuple[int, ...]:
    """Return the numbers of the pieces with a name; report an unknown name."""
    if name not in pieces:
        report.add("PZ603", f"unknown piece `{name}`", at, help=suggestion(name, pieces))
    return pieces.get(name, ())


def _coloured(laid: Laid, places: Sequence[int], colours: Sequence[str | None]) -> Laid:
    """Return a piece on locations in any order, each with its colour."""
    if len(places) != len(colours):
        return replace(
            laid, locations=tuple(sorted(places)), colours=tuple(colours)
        )  # no placement shows exactly these
    order = sorted(range(len(places)), key=places.__getitem__)
    return replace(
        laid,
        locations=tuple([places[position] for position in order]),
        colours=tuple([colours[position] for position in order]),
    )


def words_of(line: Span) -> list[Span]:
    """Return the words of a line with their positions."""
    return [line.source.span(line.start + m.start(), line.start + m.end()) for m in _words(line.text)]


def _words(text: str) -> Iterator[re.Match[str]]:
    return re.finditer(r"\S+", text)
