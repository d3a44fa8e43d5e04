"""Conditions on solutions as formulas about the options of an exact cover.

Options decide every condition on pieces and places: a piece covers a corner if one of certain options is chosen. A
condition is a formula whose atoms are sets of options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from puzzlec.diagnostics import PuzzleError, Span, counted, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.language.condition_text import Is, Join, Lies, Name, Not, Written, read_condition
from puzzlec.lower import Encoding
from puzzlec.solving.naming import PLACES, UnknownNameError, named_place, numbers_of_locations, numbers_of_piece


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
class Condition:
    """A condition on solutions: its ``formula``, and its meaning in ``words``."""

    formula: Formula
    words: str


def understood(text: str, encoding: Encoding) -> Condition:
    """Return the meaning of a condition for a puzzle, such as ``X in corner and not I inside box 3x5``.

    Raises PuzzleError (PZ630) for text that cannot be read, and for unknown pieces and places.
    """
    return _Meaning(encoding).of(read_condition(text))


def all_understood(texts: Iterable[str], encoding: Encoding) -> Condition | None:
    """Return the conjunction of several conditions; None if there is none."""
    conditions = [understood(text, encoding) for text in texts]
    if not conditions:
        return None
    told = "; and ".join(condition.words for condition in conditions)
    return Condition(Every(tuple([condition.formula for condition in conditions])), told)


class _Meaning:
    """Finds pieces, places, and their options."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding, self.fitting = encoding, encoding.fitting
        self.names = {encoding.fitting.location_name(location) for location in range(encoding.fitting.locations)}
        self.placed = [option for option, piece in enumerate(encoding.piece) if piece >= 0]

    def of(self, written: Written) -> Condition:
        if isinstance(written, Join):
            parts = [(part, self.of(part)) for part in written.parts]
            formulas = tuple([condition.formula for _, condition in parts])
            # An `or` within an `and` is in brackets.
            told = [f"({condition.words})" if isinstance(part, Join) else condition.words for part, condition in parts]
            if written.every:
                return Condition(Every(formulas), " and ".join(told))
            return Condition(Any(formulas), " or ".join(told))
        if isinstance(written, Not):
            inner = self.of(written.of)
            return Condition(Without(inner.formula), f"not ({inner.words})")
        return self._lies(written) if isinstance(written, Lies) else self._is(written)

    def _lies(self, written: Lies) -> Condition:
        own, (where, place) = self._options_of(written.piece), self._place(written.place)
        if written.wholly:
            outside = Some(frozenset([option for option in own if not where.issuperset(self._row(option))]))
            return Condition(Without(outside), f"{written.piece.text} is wholly inside {place}")
        covering = Some(frozenset([option for option in own if not where.isdisjoint(self._row(option))]))
        return Condition(covering, f"{written.piece.text} covers some of {place}")

    def _is(self, written: Is) -> Condition:
        if written.state == "used":
            return Condition(Some(frozenset(self._options_of(written.what))), f"{written.what.text} is used")
        where, place = self._place(written.what)
        if written.state == "empty":
            covering = [option for option in self.placed if not where.isdisjoint(self._row(option))]
            return Condition(Without(Some(frozenset(covering))), f"all of {place} is empty")
        # Needed locations are covered in every solution.
        wanted = sorted(where & self.fitting.optional)
        by: dict[int, list[int]] = {location: [] for location in wanted}
        for option in self.placed if wanted else ():
            for location in where.intersection(self._row(option)):
                if location in by:
                    by[location].append(option)
        return Condition(
            Every(tuple([Some(frozenset(by[location])) for location in wanted])), f"all of {place} is covered"
        )

    def _row(self, option: int) -> tuple[int, ...]:
        """Return the locations that an option covers."""
        return self.fitting.pieces[self.encoding.piece[option]].placements.row(self.encoding.index[option])

    def _options_of(self, name: Name) -> list[int]:
        numbers = _looked_up(name.span, lambda: numbers_of_piece(self.fitting, name.text))
        return [option for option in self.placed if self.encoding.piece[option] in numbers]

    def _place(self, name: Name) -> tuple[frozenset[int], str]:
        """Return the numbers of the locations of a place, and its name."""
        found = _looked_up(name.span, lambda: self._locations(name))
        return found, f"`{name.span.text}` ({counted(len(found), 'location')})"

    def _locations(self, name: Name) -> frozenset[int]:
        if not name.words or name.text in self.names:
            return numbers_of_locations(self.fitting, name.text)
        found: frozenset[int] = frozenset()
        others = []
        for word, quoted in zip(name.words, name.quoted, strict=True):
            if quoted:  # a name with spaces, or a region
                found |= numbers_of_locations(self.fitting, word)
            elif word in PLACES and word not in self.names:
                found |= named_place(self.fitting, word)
            else:
                others.append(word)
        if not others:
            return found
        try:
            return found | numbers_of_locations(self.fitting, " ".join(others))
        except UnknownNameError as error:
            meant = [advice for word in others if word not in self.names for advice in suggestion(word, PLACES)]
            puzzle = self.fitting.puzzle
            if not meant and puzzle and puzzle.lattice and any(word.isalpha() for word in others):
                meant = ["write a cell, `corner`, `edge` or `centre`"]
            raise UnknownNameError(error.message, meant[0] if meant else error.help) from None


def _looked_up(span: Span, look_up: Callable[[], frozenset[int]]) -> frozenset[int]:
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
