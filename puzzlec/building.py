"""Build a puzzle from plain cells, with the checks and the diagnostics of a puzzle that is read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from puzzlec.diagnostics import Report, Source
from puzzlec.formats.reading import read
from puzzlec.geometry import Cell
from puzzlec.ir import Puzzle

#: A cell of the lattice, or the name of a location in a puzzle without a lattice.
Place: TypeAlias = Sequence[int] | str

#: A number of copies, or the least and the greatest number.
Copies: TypeAlias = int | tuple[int, int]

#: The lattice of cells with this many coordinates, if none is given.
_LATTICES = {2: "square", 3: "cubic"}


class Builder:
    r"""A puzzle that grows statement by statement. Each method returns the builder, except :meth:`puzzle`.

    >>> builder = Builder("Three dominoes").locations((x, y) for x in range(3) for y in range(2))
    >>> puzzle = builder.piece("D", [(0, 0), (1, 0)], copies=3).puzzle()
    >>> [str(location.at) for location in puzzle.locations[:2]], puzzle.pieces[0].low
    (['(0, 0)', '(0, 1)'], 3)

    Args:
        title: The title of the puzzle.
        lattice: The name of the lattice. Default: "square" or "cubic", by the number of coordinates. Locations with
            names have no lattice.

    """

    def __init__(self, title: str = "", *, lattice: str | None = None) -> None:
        self._title, self._lattice = title, lattice
        self._parts: dict[str, list[Any]] = {}
        self._colours: dict[str, None] = {}
        self._empty: tuple[int, int] | None = None
        self._crossing = self._turning = False

    def __repr__(self) -> str:
        locations, pieces = (len(self._parts.get(name, ())) for name in ("locations", "pieces"))
        return f'<Builder "{self._title[:40]}": {locations} locations, {pieces} pieces>'

    def locations(self, places: Iterable[Place], *, colour: str | None = None, optional: bool = False) -> Builder:
        """Add locations.

        Args:
            places: Their cells, or their names.
            colour: Their colour. A cell of a piece with this colour fits.
            optional: Whether they may stay empty.

        """
        for place in places:
            at = _plain(place)
            more = {**({"colour": colour} if colour else {}), **({"optional": True} if optional else {})}
            self._add("locations", {"at": at, **more} if more else at)
        self._know(colour)
        return self

    def piece(
        self,
        name: str,
        cells: Iterable[Cell],
        *,
        copies: Copies = 1,
        colours: Iterable[str | None] | None = None,
        freedom: Literal["free", "one-sided", "fixed"] = "free",
        sides: Iterable[str] = (),
        paint: str = "",
    ) -> Builder:
        """Add a piece with a shape.

        Args:
            name: Its name.
            cells: Its cells, anywhere in the lattice.
            copies: How often it is used: a number, or the least and the greatest number.
            colours: A colour for each cell, None for a plain one. Default: all are plain.
            freedom: "free": rotated and reflected, "one-sided": only rotated, "fixed": neither.
            sides: The colours of the sides of a single cell, in the order of its neighbours.
            paint: Its colour in pictures, a name or "#rrggbb". Default: one of the palette.

        """
        cell_colours, sides = None if colours is None else list(colours), list(sides)
        self._know(*(cell_colours or ()), *sides)
        entry: dict[str, Any] = {"name": name, "cells": [_plain(cell) for cell in cells], "turns": freedom}
        entry |= {"colours": cell_colours} if cell_colours is not None else {}
        entry |= {"sides": sides} if sides else {}
        entry |= {"paint": paint} if paint else {}
        return self._add("pieces", entry | _bounds(copies))

    def covers(self, name: str, placements: Iterable[Iterable[Place]], *, copies: Copies = 1) -> Builder:
        """Add a piece by the list of its placements, each with the locations that it covers."""
        listed = [[_plain(place) for place in placement] for placement in placements]
        return self._add("pieces", {"name": name, "covers": listed} | _bounds(copies))

    def rule(
        self, kind: Literal["inside", "on", "off", "fix", "forbid"], piece: str, region: Iterable[Place]
    ) -> Builder:
        """Add a rule on a piece: it is inside a region, on it, off it, exactly at it, or never exactly at it."""
        word = kind if kind in ("fix", "forbid") else f"place {kind}"
        return self._add("rules", {"kind": word, "piece": piece, "region": [_plain(place) for place in region]})

    def sum(self, region: Iterable[Place], low: int = 0, high: int | None = None) -> Builder:
        """Add a rule on a region: the numbers that pieces show there add up to ``low`` or more, at most ``high``."""
        most = {} if high is None else {"high": high}
        return self._add("region_rules", {"kind": "sum", "region": list(map(_plain, region)), "low": low} | most)

    def colours(self, kind: Literal["equal", "different"], region: Iterable[Place]) -> Builder:
        """Add a rule on a region: the colours that pieces show there are all equal, or all different."""
        return self._add("region_rules", {"kind": kind, "region": list(map(_plain, region))})

    def no_crossroads(
        self, where: Literal["", "inside", "on", "off"] = "", region: Iterable[Place] = (), *, high: int = 3
    ) -> Builder:
        """Let at most ``high`` pieces meet at each point, or only at points with a relation to a region.

        In space, these are edges.
        """
        more = {"where": where, "region": list(map(_plain, region))} if where else {}
        return self._add("meetings", {"kind": "crossroads", "high": high} | more)

    def no_faults(self, across: str = "") -> Builder:
        """Let a piece cross each straight line that cuts the board in two, or only lines across an axis such as "x".

        In space, these are planes.
        """
        return self._add("meetings", {"kind": "faults"} | ({"motion": across} if across else {}))

    def apart(self, *pieces: str, corners: bool = False) -> Builder:
        """Keep pieces apart, and the copies of each: they share no side, and with ``corners`` no corner either."""
        return self._add("meetings", {"kind": "apart", "pieces": pieces} | ({"corners": True} if corners else {}))

    def touching(self, one: str, other: str) -> Builder:
        """Let two pieces, each with one copy, share a side."""
        return self._add("meetings", {"kind": "touching", "pieces": [one, other]})

    def symmetric(self, motion: str) -> Builder:
        """Let the solution be equal to its image under a motion, such as "half-turn" or "mirror x"."""
        return self._add("meetings", {"kind": "symmetric", "motion": motion})

    def cost(
        self,
        cost: int,
        piece: str = "",
        where: Literal["", "inside", "on", "off", "at", "per"] = "",
        region: Iterable[Place] = (),
    ) -> Builder:
        """Add a cost for each copy of a piece ("" for all pieces), or only for copies with a relation to a region."""
        entry: dict[str, Any] = {"cost": cost, "name": piece, "region": [_plain(place) for place in region]}
        return self._add("costs", entry | ({"where": where} if where else {}))

    def crossroads_cost(
        self, cost: int, where: Literal["", "inside", "on", "off"] = "", region: Iterable[Place] = ()
    ) -> Builder:
        """Add a cost for each crossroads, or only for those at points with a relation to a region."""
        more = {"where": where, "region": list(map(_plain, region))} if where else {}
        return self._add("costs", {"cost": cost, "of": "crossroads"} | more)

    def faults_cost(self, cost: int, across: str = "") -> Builder:
        """Add a cost for each fault, or only for those across an axis such as "x"."""
        return self._add("costs", {"cost": cost, "of": "faults"} | ({"name": across} if across else {}))

    def match(self, cell: str, location: str) -> Builder:
        """Let cells of a colour cover locations of another colour."""
        self._know(cell, location)
        return self._add("allowed", [cell, location])

    def mates(self, one: str, other: str) -> Builder:
        """Let sides of a colour meet sides of another colour only."""
        self._know(one, other)
        for pair in {(one, other), (other, one)}:
            self._add("mates", list(pair))
        return self

    def frame(self, colours: Iterable[str]) -> Builder:
        """Let sides on the border of the board have these colours only."""
        for colour in colours:
            self._know(colour)
            self._add("frame", colour)
        return self

    def wrap(self, vector: Sequence[int], *, twisted: bool = False) -> Builder:
        """Join opposite sides of the board: a piece that leaves it re-enters, moved by the vector."""
        return self._add("wraps", {"vector": list(vector)} | ({"twisted": True} if twisted else {}))

    def empty(self, low: int, high: int) -> Builder:
        """Bound the number of optional locations that stay empty."""
        self._empty = low, high
        return self

    def cross(self) -> Builder:
        """Let two pieces cross at a point, on a lattice of edges."""
        self._crossing = True
        return self

    def wall(self, cells: Iterable[Cell]) -> Builder:
        """Add cells that never move when the puzzle is taken apart."""
        for cell in cells:
            self._add("walls", _plain(cell))
        return self

    def immovable(self, *pieces: str) -> Builder:
        """Let pieces never move when the puzzle is taken apart."""
        for piece in pieces:
            self._add("immovable", piece)
        return self

    def turn(self) -> Builder:
        """Let pieces also turn when the puzzle is taken apart."""
        self._turning = True
        return self

    def together(self, pieces: Mapping[str, int]) -> Builder:
        """Let pieces stay together when the puzzle is taken apart: names, with the number of copies of each."""
        return self._add("together", [{"piece": name, "copies": copies} for name, copies in pieces.items()])

    def puzzle(self) -> Puzzle:
        """Return the puzzle.

        Raises:
            PuzzleError: If the puzzle has errors. The exception has all of them, each with the statement.

        """
        head: dict[str, Any] = {"puzzlec": 1, "stage": "puzzle", "title": self._title}
        document = head | {"lattice": self._find_lattice()}
        document |= {"colours": list(self._colours)} if self._colours else {}
        document |= {"empty": list(self._empty)} if self._empty is not None else {}
        document |= {"crossing": True} if self._crossing else {}
        document |= {"turns_allowed": True} if self._turning else {}
        document |= {name: self._parts.get(name, []) for name in ("locations", "pieces")} | self._parts
        lines = [f"  {json.dumps(name)}: {_listed(value)}" for name, value in document.items()]
        puzzle = read(Source("<builder>", "{\n" + ",\n".join(lines) + "\n}\n"), "json", Report())
        assert isinstance(puzzle, Puzzle)
        return puzzle

    def _add(self, name: str, value: Any) -> Builder:
        self._parts.setdefault(name, []).append(value)
        return self

    def _know(self, *colours: str | None) -> None:
        self._colours |= dict.fromkeys(colour for colour in colours if colour is not None)

    def _find_lattice(self) -> str | None:
        if self._lattice is not None:
            return self._lattice
        first = next(iter(self._parts.get("locations", ())), None)
        at = first["at"] if isinstance(first, dict) else first
        return None if isinstance(at, str) else _LATTICES.get(len(at or ()), "square")


def _plain(place: Place) -> str | list[int]:
    """Return a place for JSON; integers of numpy become those of Python."""
    if isinstance(place, str):
        return place
    if not isinstance(place, Iterable):
        raise TypeError(f"expected a cell such as (0, 1) or the name of a location, found {place!r}")
    return [value.__index__() if hasattr(value, "__index__") else value for value in place]


def _bounds(copies: Copies) -> dict[str, int]:
    low, high = copies if isinstance(copies, tuple) else (copies, copies)
    return {} if (low, high) == (1, 1) else {"low": low, "high": high}


def _listed(value: Any) -> str:
    """Return a value as JSON, each entry of a list on one line."""
    if not isinstance(value, list) or not value:
        return json.dumps(value)
    return "[\n    " + ",\n    ".join(json.dumps(entry) for entry in value) + "\n  ]"
