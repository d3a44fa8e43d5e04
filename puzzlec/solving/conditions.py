"""Conditions on solutions as formulas about the options of an exact cover, and the names that conditions use.

Options decide every condition on pieces and places: a piece covers a corner if one of certain options is chosen. A
condition is a formula whose atoms are sets of options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from puzzlec.diagnostics import PuzzleError, Span, counted, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell
from puzzlec.geometry.places import PLACES, NoPlaceError, numbers_at
from puzzlec.ir import Fitting
from puzzlec.ir.location import Address, address_name
from puzzlec.language.condition_text import ConditionName, Is, Join, Lies, Not, Written, read_condition
from puzzlec.language.region_text import is_region, read_region
from puzzlec.lower import Encoding


@dataclass(frozen=True)
class Some:
    """At least one of these options is chosen."""

    options: frozenset[int]


@dataclass(frozen=True)
class Without:
    """A formula does not hold."""

    of: Formula


@dataclass(frozen=True)
class Every:
    """All parts hold; true without parts."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Any:
    """At least one part holds."""

    parts: tuple[Formula, ...]


#: A condition on covers.
Formula: TypeAlias = Some | Without | Every | Any


@dataclass(frozen=True)
class FormulaCondition:
    """A condition on solutions: its ``formula``, and its meaning in ``words``."""

    formula: Formula
    words: str


def understood(text: str, encoding: Encoding) -> FormulaCondition:
    """Return the meaning of a condition for a puzzle, such as ``X on corner and not I inside box 3x5``.

    Raises PuzzleError (PZ630) for text that cannot be read, and for unknown pieces and places.
    """
    return _ConditionMeaning(encoding).of(read_condition(text))


def all_understood(texts: Iterable[str], encoding: Encoding) -> FormulaCondition | None:
    """Return the conjunction of several conditions; None if there is none."""
    conditions = [understood(text, encoding) for text in texts]
    if not conditions:
        return None
    words = "; and ".join(condition.words for condition in conditions)
    return FormulaCondition(Every(tuple([condition.formula for condition in conditions])), words)


_Places: TypeAlias = frozenset[int]

#: For each relation between a piece and a place: whether it holds for the locations of both, and its verb.
_RELATIONS: dict[str, tuple[Callable[[_Places, _Places], bool], str]] = {
    "inside": (lambda piece, place: piece <= place, "is wholly inside"),
    "on": (lambda piece, place: not piece.isdisjoint(place), "covers some of"),
    "off": (lambda piece, place: piece.isdisjoint(place), "covers none of"),
    "at": (lambda piece, place: piece == place, "covers exactly"),
}


class _ConditionMeaning:
    """Finds pieces, places, and their options."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding, self.fitting = encoding, encoding.fitting
        self.names = {encoding.fitting.location_name(location) for location in range(encoding.fitting.locations)}
        self.placed = [option for option, piece in enumerate(encoding.piece) if piece >= 0]

    def of(self, written: Written) -> FormulaCondition:
        if isinstance(written, Join):
            parts = [(part, self.of(part)) for part in written.parts]
            formulas = tuple([condition.formula for _, condition in parts])
            # An `or` within an `and` is in brackets.
            words = [f"({condition.words})" if isinstance(part, Join) else condition.words for part, condition in parts]
            if written.every:
                return FormulaCondition(Every(formulas), " and ".join(words))
            return FormulaCondition(Any(formulas), " or ".join(words))
        if isinstance(written, Not):
            inner = self.of(written.of)
            return FormulaCondition(Without(inner.formula), f"not ({inner.words})")
        return self._lies(written) if isinstance(written, Lies) else self._is(written)

    def _lies(self, written: Lies) -> FormulaCondition:
        options, (where, place) = self._options_of(written.piece), self._place(written.place)
        holds, verb = _RELATIONS[written.relation]
        words = f"{written.piece.text} {verb} {place}"
        related = frozenset([option for option in options if holds(frozenset(self._row(option)), where)])
        if written.relation in ("on", "at"):  # of one copy
            return FormulaCondition(Some(related), words)
        return FormulaCondition(Every((Some(related), Without(Some(frozenset(options) - related)))), words)

    def _is(self, written: Is) -> FormulaCondition:
        if written.state == "used":
            return FormulaCondition(Some(frozenset(self._options_of(written.what))), f"{written.what.text} is used")
        where, place = self._place(written.what)
        if written.state == "empty":
            covering = [option for option in self.placed if not where.isdisjoint(self._row(option))]
            return FormulaCondition(Without(Some(frozenset(covering))), f"all of {place} is empty")
        # Needed locations are covered in every solution.
        optional = sorted(where & self.fitting.optional)
        by: dict[int, list[int]] = {location: [] for location in optional}
        for option in self.placed if optional else ():
            for location in where.intersection(self._row(option)):
                if location in by:
                    by[location].append(option)
        return FormulaCondition(
            Every(tuple([Some(frozenset(by[location])) for location in optional])), f"all of {place} is covered"
        )

    def _row(self, option: int) -> tuple[int, ...]:
        """Return the locations that an option covers."""
        return self.fitting.pieces[self.encoding.piece[option]].placements.row(self.encoding.index[option])

    def _options_of(self, name: ConditionName) -> list[int]:
        numbers = looked_up(name.span, lambda: numbers_of_piece(self.fitting, name.text))
        return [option for option in self.placed if self.encoding.piece[option] in numbers]

    def _place(self, name: ConditionName) -> tuple[frozenset[int], str]:
        """Return the numbers of the locations of a place, and its name."""
        locations = looked_up(name.span, lambda: self._locations(name))
        return locations, f"`{name.span.text}` ({counted(len(locations), 'location')})"

    def _locations(self, name: ConditionName) -> frozenset[int]:
        if not name.words or name.text in self.names:
            return numbers_of_locations(self.fitting, name.text)
        locations: frozenset[int] = frozenset()
        others = []
        regions = list(self.fitting.puzzle.region_cells) if self.fitting.puzzle is not None else []
        for word, quoted in zip(name.words, name.quoted, strict=True):
            if (word in regions and word not in self.names) or quoted:
                locations |= numbers_of_locations(self.fitting, word)
            elif word in PLACES and word not in self.names:
                locations |= named_place(self.fitting, word)
            elif word == "edge":
                raise UnknownNameError("`edge` of version 0.1 is now `border`", "write `border`")
            else:
                others.append(word)
        if not others:
            return locations
        try:
            return locations | numbers_of_locations(self.fitting, " ".join(others))
        except UnknownNameError as error:
            words = [*regions, *PLACES]
            hints = [advice for word in others if word not in self.names for advice in suggestion(word, words)]
            puzzle = self.fitting.puzzle
            if not hints and puzzle and puzzle.lattice and any(word.isalpha() for word in others):
                hints = ["write a cell, `corner`, `border` or `centre`"]
            raise UnknownNameError(error.message, hints[0] if hints else error.help) from None


def looked_up(span: Span, look_up: Callable[[], frozenset[int]]) -> frozenset[int]:
    """Return the result of a lookup; an unknown name becomes a diagnostic at its place."""
    try:
        return look_up()
    except UnknownNameError as error:
        raise fail("PZ630", error.message, span, help=error.help or ()) from None
    except PuzzleError as error:
        first = error.diagnostics[0]
        raise fail("PZ630", f"invalid region: {first.message}", span, note=first.notes, help=first.helps) from None
    except ValueError as error:
        raise fail("PZ630", str(error), span) from None


def named_place(fitting: Fitting, name: str) -> frozenset[int]:
    """Return the numbers of the locations of a place of every board, including optional ones.

    Raises UnknownNameError if the board has no such place, KeyError for another word.
    """
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None or not puzzle.locations:
        raise UnknownNameError(f"this puzzle has no {name}, as it has no geometry", "name the locations")
    try:
        return frozenset(numbers_at(name, puzzle.geometry))
    except NoPlaceError as error:
        raise UnknownNameError(str(error), "name the locations") from None


#: Locations: a text (names separated by spaces, or a region of the puzzle language), one cell, or a sequence.
Locations: TypeAlias = str | Cell | Iterable[str | Cell]


class UnknownNameError(ValueError):
    """A puzzle has no piece or location of this name; ``help`` names similar ones, or is empty."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(f"{message}; {help}" if help else message)
        self.message, self.help = message, help


def numbers_of_piece(fitting: Fitting, name: str) -> frozenset[int]:
    """Return the numbers of the pieces with a name; UnknownNameError if there is none."""
    names = [fitting.piece_name(number) for number in range(len(fitting.pieces))]
    numbers = frozenset(number for number, piece_name in enumerate(names) if piece_name == name)
    if not numbers:
        raise UnknownNameError(f"unknown piece `{name}`", _known(name, names))
    return numbers


def numbers_of_locations(fitting: Fitting, locations: Locations) -> frozenset[int]:
    """Return the numbers of locations given by names, by cells, or as a region.

    A text is a name of a location or a region, several with spaces between them (also cells: ``0,0 (1,0)``), or a
    region of the puzzle language such as ``box 2x2 at (4,4)``. Raises UnknownNameError for an
    unknown location, ValueError if none is left, PuzzleError for a region that cannot be read.
    """
    number = {fitting.location_name(location): location for location in range(fitting.locations)}
    names = list(_names(fitting, locations, number))
    if not names:
        raise ValueError("this does not name a location")
    for name in names:
        if name not in number:
            raise _unknown_location(fitting, name, list(number))
    return frozenset(number[name] for name in names)


def _names(fitting: Fitting, locations: Locations, location_names: Iterable[str]) -> Iterable[str]:
    """Return the names of locations however they are given."""
    if isinstance(locations, str):
        return _names_in(fitting, locations, location_names)
    things = list(locations)
    if things and all(isinstance(place, int) for place in things):  # one cell
        return [",".join(map(str, things))]
    return [place if isinstance(place, str) else address_name(place) for place in things if not isinstance(place, int)]


def _names_in(fitting: Fitting, text: str, location_names: Iterable[str]) -> Iterable[str]:
    """Return the names of locations in a text."""
    if text in location_names:
        return [text]
    lattice = fitting.puzzle.lattice if fitting.puzzle else None
    if fitting.puzzle is not None and text in fitting.puzzle.region_cells:
        location_names = set(location_names)
        places = [address_name(at) for at in fitting.puzzle.region_cells[text]]
        return [place for place in places if place in location_names]  # a region may extend beyond the board
    if is_region(text) or re.search(r"\s[-+&]\s|\sat\s*\(", text):
        return map(address_name, read_region(text, lattice, fitting.puzzle.regions if fitting.puzzle else ()))
    words = re.sub(r"\s*,\s*", ",", text).split() if lattice else text.split()
    return [word[1:-1] if lattice and re.fullmatch(r"\(.*\)", word) else word for word in words]


def _unknown_location(fitting: Fitting, name: str, names: list[str]) -> UnknownNameError:
    """Return the error for an unknown location. For a cell, it shows the range of the cells."""
    cells: list[Address] = [location.at for location in fitting.puzzle.locations] if fitting.puzzle else []
    if not cells or isinstance(cells[0], str):
        return UnknownNameError(f"unknown location `{name}`", _known(name, names))
    axes = list(zip(*cells, strict=True))
    low, high = (",".join(str(end(axis)) for axis in axes) for end in (min, max))
    return UnknownNameError(f"unknown location `{name}`", f"the cells go from {low} to {high}")


def _known(name: str, names: list[str]) -> str:
    """Return similar names, or all names if there are only a few."""
    help = suggestion(name, dict.fromkeys(names))
    if help:
        return help[0]
    return f"there are {', '.join(dict.fromkeys(names))}" if 0 < len(set(names)) <= 20 else ""
