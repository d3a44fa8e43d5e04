"""The symmetry group of a puzzle, as permutations of the options of its exact cover.

A symmetry is an isometry of the lattice that maps the locations to themselves. Colours stay the same, and optional
locations go to optional ones. A symmetry also maps the placements of each piece, with the colours that they show, to
the placements of one piece with the same number of copies. So a reflection of the Soma cube counts, since it swaps the
two screws. Placement rules have already removed placements, so a fixed piece breaks the symmetry as it should. Walls go
to walls, immovable pieces to immovable ones, and a piece goes to one of the same groups that may stay together.
Therefore images of a solution come apart in the same way. A placement goes to one of equal cost, so images of a
solution cost the same.

The possible movements of the locations come from the geometry (:mod:`puzzlec.lower.movements`): rotations, reflections
and, on a wrap-around board, shifts of the whole board, or of each separate part. This module extends each of them to
pieces and options, if possible.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from puzzlec.engine.arrays import has_numpy
from puzzlec.geometry import Matrix
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Condition, Puzzle
from puzzlec.ir.fitting import Colours
from puzzlec.lower.automorphisms import MAX_INTEGERS_OF_GROUP, Symmetry, automorphisms
from puzzlec.lower.covering import RULE, Encoding, ways_of
from puzzlec.lower.movements import GroupTooLargeError, Key, Movement, movements

if TYPE_CHECKING:
    from puzzlec.lower.region_rules import Carried

#: Symmetries under which solutions count as equal. "all" has rotations, reflections, and shifts of a wrap-around
#: board. "parts" also applies them to each part of a board separately.
SymmetryKind: TypeAlias = Literal["none", "rotations", "all", "parts", "automorphisms"]
SYMMETRIES: tuple[SymmetryKind, ...] = get_args(SymmetryKind)

#: Permutations of more options are composed in numpy.
MAX_OPTIONS_COMPOSED_IN_PYTHON = 20_000


#: A placement: its locations, and the colours of its sides (for a tile) or of its cells.
_Row = tuple[tuple[int, ...], Colours]


class _GroupElement(NamedTuple):
    """A movement of the locations with its effect on pieces and options."""

    movement: Movement
    pieces: tuple[int, ...]
    options: array[int]


def symmetry(encoding: Encoding, which: str = "all") -> Symmetry:
    """Return the symmetry group of a puzzle; without geometry, only the identity.

    ``which`` is one of the :data:`SYMMETRIES`. Raises :class:`GroupTooLargeError` for a group that is too large to
    list, ValueError for an unknown ``which``.
    """
    if which not in SYMMETRIES:
        raise ValueError(f"unknown symmetries {which!r}")
    if which == "automorphisms":
        return automorphisms(encoding)
    identity = array("i", range(len(encoding.cover)))
    puzzle = encoding.fitting.puzzle
    if puzzle is None or puzzle.lattice is None or not puzzle.locations or which == "none":
        return Symmetry((identity,), (array("i", range(_items(encoding))),))
    most = MAX_INTEGERS_OF_GROUP // max(1, len(identity))
    candidates = movements(encoding.fitting, puzzle, which)
    start = _GroupElement(candidates[0], tuple(range(len(encoding.fitting.pieces))), identity)
    group = {start.movement.key: start}
    generators: list[_GroupElement] = []
    known_as = {candidate.key: candidate for candidate in candidates}
    carry, costs = _carrier(encoding), encoding.cover.costs
    refused: set[Key] = set()
    for candidate in candidates:
        if candidate.key in group or candidate.key in refused:
            continue
        element = carry(candidate)
        if element is None or (costs and _moved_costs(element, costs)):
            # Products of this candidate with symmetries are not symmetries either.
            refused.update(candidate.after(member.movement) for member in group.values())
        else:
            generators.append(element)
            _extend(group, generators, known_as, most)
    order = {candidate.key: rank for rank, candidate in enumerate(candidates)}
    elements = sorted(group.values(), key=lambda element: order[element.movement.key])
    isometries = [element.movement.isometry for element in elements]
    return Symmetry(
        tuple(element.options for element in elements),
        tuple(_item_permutation(encoding, element) for element in elements),
        tuple(isometry for isometry in isometries if isometry is not None) if None not in isometries else (),
    )


def _moved_costs(element: _GroupElement, costs: array[int]) -> bool:
    """Return whether an element maps an option to an option with another cost."""
    return any(costs[image] != cost for image, cost in zip(element.options, costs, strict=True))


def _carrier(encoding: Encoding) -> Callable[[Movement], _GroupElement | None]:
    """Return the function that extends movements to pieces and options, in numpy for large puzzles."""
    if len(encoding.cover) >= MAX_OPTIONS_COMPOSED_IN_PYTHON and has_numpy():
        from puzzlec.lower.symmetries_numpy import ManyPieces, suits

        if suits(encoding):
            many = ManyPieces(encoding)

            def carry(movement: Movement) -> _GroupElement | None:
                effect = many.carry(movement.locations)
                return None if effect is None else _GroupElement(movement, *effect)

            return carry
    return _PlacementIndex(encoding).carry


def _composed_options(after: array[int], before: array[int]) -> array[int]:
    """Return the product of two permutations of the options."""
    if len(before) < MAX_OPTIONS_COMPOSED_IN_PYTHON or not has_numpy():
        return array("i", [after[option] for option in before])
    import numpy as np

    product = array("i")
    product.frombytes(np.frombuffer(after, np.int32)[np.frombuffer(before, np.int32)].tobytes())
    return product


def _extend(
    group: dict[Key, _GroupElement], generators: list[_GroupElement], known_as: dict[Key, Movement], most: int
) -> None:
    """Add all products with the last generator to the group of the other generators.

    Existing elements need only the new generator, new ones all generators.
    """
    fresh, by = list(group.values()), generators[-1:]
    while fresh:
        new = []
        for element in fresh:
            for generator in by:
                key = generator.movement.after(element.movement)
                if key not in group:
                    group[key] = _GroupElement(
                        known_as[key],
                        tuple([generator.pieces[option] for option in element.pieces]),
                        _composed_options(generator.options, element.options),
                    )
                    new.append(group[key])
                    if len(group) > most:
                        raise GroupTooLargeError(len(group), f"{len(element.options)} options")
        fresh, by = new, generators


class _PlacementIndex:
    """The placements of the pieces, indexed."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.rows: list[list[_Row]] = [
            list(zip(piece.placements, piece.sides or piece.colours or repeat(()), strict=False))
            for piece in encoding.fitting.pieces
        ]
        self.option: list[dict[_Row, int]] = [{} for _ in self.rows]
        puzzle = encoding.fitting.puzzle
        self.sides = _Sides(puzzle) if encoding.fitting.neighbours and puzzle else None
        self.empty: dict[int, int] = {}
        self.rules: list[int] = []
        for option, (number, index) in enumerate(zip(encoding.piece, encoding.index, strict=True)):
            if number == RULE:
                self.rules.append(option)
            elif number < 0:
                self.empty[index] = option
            else:
                self.option[number][self.rows[number][index]] = option
        #: The class of each piece: pieces of a class have the same placements at the same costs, and the same role.
        self.classes: list[int] = []
        self._class_of: dict[object, int] = {}
        for number, rows in enumerate(self.rows):
            self.classes.append(self._class_of.setdefault(self._look(number, rows), len(self._class_of)))
        self.bounds = [(piece.low, piece.high) for piece in encoding.fitting.pieces]

    def carry(self, movement: Movement) -> _GroupElement | None:
        """Return the effect of a movement of the locations on pieces and options; None if it is not a symmetry."""
        images, classes = [], []
        for number in range(len(self.rows)):
            images.append(self.images(movement, number))
            classes.append(self.class_of(number, images[-1], movement.locations))
            if classes[-1] < 0:
                return None
        pieces = matched(self.classes, classes, dict(enumerate(self.bounds)))
        if pieces is None:
            return None
        options = array("i", bytes(4 * len(self.encoding.cover)))
        for number, target in pieces.items():
            for row, image in zip(self.rows[number], images[number], strict=True):
                options[self.option[number][row]] = self.option[target][image]
        ruled = _ruled(self.encoding, movement.locations, tuple(pieces.values()))
        if ruled is None and self.encoding.rules is not None:
            return None
        if not self.keeps_empty(movement):
            return None
        for location, option in self.empty.items():
            options[option] = self.empty[movement.locations[location]]
        if ruled is not None:
            for option, moved in zip(self.rules, ruled.options, strict=True):
                options[option] = self.rules[moved]
        return _GroupElement(movement, tuple(pieces.values()), options)

    def class_of(self, number: int, images: Sequence[_Row], to: Sequence[int]) -> int:
        """Return the class of pieces with the images of the placements of a piece; -1 if there is none.

        ``to`` are the images of the locations.
        """
        return self._class_of.get(self._look(number, images, to), -1)

    def _look(self, number: int, rows: Sequence[_Row], to: Sequence[int] | None = None) -> object:
        """Return what defines the class of a piece whose placements go to ``rows``, each at its cost.

        ``to`` are the images of the locations. Default: the identity.
        """
        fitting, costs, option = self.encoding.fitting, self.encoding.cover.costs, self.option[number]
        priced = zip(rows, [costs[option[row]] for row in self.rows[number]], strict=True) if costs else rows
        name = fitting.piece_name(number)
        counts = frozenset(
            (rule.kind, frozenset(rule.region if to is None else [to[at] for at in rule.region]), rule.low, rule.high)
            for rule in fitting.region_rules
            if (rule.piece or rule.kind in (Condition.PARTED, Condition.TOUCHING)) and rule.is_about(name)
        )
        return frozenset(priced), fitting.kind_of(number), counts

    def keeps_empty(self, movement: Movement) -> bool:
        """Whether locations that cost something if they stay empty go to such locations."""
        return all(movement.locations[location] in self.empty for location in self.empty)

    def images(self, movement: Movement, number: int) -> list[_Row]:
        """Return the images of the placements of a piece under a movement."""
        rows = self.rows[number]
        to = movement.locations
        piece = self.encoding.fitting.pieces[number]
        if piece.colours:
            return [_moved(to, row, colours) for row, colours in rows]
        moved = [tuple(sorted([to[location] for location in row])) for row, _ in rows]
        if self.sides is None or not piece.sides:
            return [(row, ()) for row in moved]
        return [
            (image, self.sides.turned(movement.turns[row[0]], row[0], image[0], sides))
            for image, (row, sides) in zip(moved, rows, strict=True)
        ]


def matched(classes: Sequence[int], images: Sequence[int], copies: Mapping[int, object]) -> dict[int, int] | None:
    """Return the image of each piece of ``copies`` under a movement; None if one of them has no image.

    ``images`` are the classes to which the movement takes the pieces. A piece goes to one with the same number of
    ``copies``. Equal pieces keep their order: a class goes to a class, first to first.
    """
    members: dict[tuple[int, object], list[int]] = {}
    for piece, number in copies.items():
        members.setdefault((classes[piece], number), []).append(piece)
    image_of: dict[int, int] = {}
    for (_, number), pieces in members.items():
        targets = members.get((images[pieces[0]], number), ())
        if len(targets) < len(pieces):
            return None
        image_of.update(zip(pieces, targets, strict=False))
    return {piece: image_of[piece] for piece in copies}


def moves_board(encoding: Encoding, which: str) -> bool:
    """Return whether a movement besides the identity keeps the board and its region rules, whatever the pieces are.

    A rule about one piece is left out: it says nothing about a set without this piece.
    Raises :class:`GroupTooLargeError`.
    """
    from puzzlec.lower.region_rules import rule_images

    puzzle = encoding.fitting.origin
    rules = [rule for rule in encoding.fitting.region_rules if not rule.piece]
    others = movements(encoding.fitting, puzzle, which)[1:]
    return any(rule_images(rules, movement.locations) is not None for movement in others)


class SetSymmetries:
    """The symmetries of all puzzles that take some pieces of a puzzle, each with a certain number of copies.

    A piece that breaks a symmetry breaks it only in puzzles with this piece. So each movement of the board comes with
    the pieces whose placements it maps to placements of pieces. Region rules are not supported: which placements obey
    them depends on the other pieces.

    Iterate it for the movements except the identity. Raises :class:`GroupTooLargeError`.
    """

    def __init__(self, encoding: Encoding, which: str) -> None:
        puzzle = encoding.fitting.origin
        assert encoding.rules is None
        self._movements = movements(encoding.fitting, puzzle, which)
        self._pieces = _PlacementIndex(encoding)

    def __iter__(self) -> Iterator[SetSymmetry]:
        for movement in self._movements[1:]:
            if self._pieces.keeps_empty(movement):
                yield SetSymmetry(self._pieces, movement)


class SetSymmetry:
    """A movement of the board, which is a symmetry of some sets of pieces."""

    def __init__(self, pieces: _PlacementIndex, movement: Movement) -> None:
        self._pieces, self._movement = pieces, movement
        self._images = [pieces.images(movement, number) for number in range(len(pieces.rows))]
        self._classes = [pieces.class_of(number, rows, movement.locations) for number, rows in enumerate(self._images)]
        costs, empty = pieces.encoding.cover.costs, pieces.empty
        self._keeps_costs = not costs or all(
            costs[option] == costs[empty[movement.locations[location]]] for location, option in empty.items()
        )

    def pieces(self, copies: Mapping[int, int]) -> dict[int, int] | None:
        """Return the image of each piece of a set; None if the movement is not a symmetry of the set.

        Args:
            copies: The number of copies of each piece of the set.

        """
        return matched(self._pieces.classes, self._classes, copies) if self._keeps_costs else None

    def restricted(self, to: Mapping[int, int]) -> tuple[array[int], Symmetry]:
        """Return the options that are left if only the pieces of ``to`` remain, and the symmetry as their permutation.

        Args:
            to: A permutation of pieces, such as :meth:`pieces` returns it.

        """
        encoding, option = self._pieces.encoding, self._pieces.option
        image = {one: self._pieces.empty[self._movement.locations[at]] for at, one in self._pieces.empty.items()}
        for piece, target in to.items():
            for row, there in zip(self._pieces.rows[piece], self._images[piece], strict=True):
                image[option[piece][row]] = option[target][there]
        kept = array("i", sorted(image))
        position = {one: number for number, one in enumerate(kept)}
        # The items of pieces stay: one of two exchanged pieces may have other bounds, or no item.
        element = _GroupElement(self._movement, tuple(range(len(self._pieces.rows))), kept)
        permutation = array("i", [position[image[one]] for one in kept])
        return kept, Symmetry((permutation,), (_item_permutation(encoding, element),))


def _moved(to: tuple[int, ...], row: tuple[int, ...], colours: Colours) -> _Row:
    """Return the image of a placement, each location with the colour shown there."""
    pairs = sorted(zip([to[location] for location in row], colours, strict=True))
    return tuple([location for location, _ in pairs]), tuple([colour for _, colour in pairs])


class _Sides:
    """Effect of an isometry on the sides of a tile: the side of a step becomes the side of the image of the step."""

    def __init__(self, puzzle: Puzzle) -> None:
        lattice = puzzle.geometry.lattice
        self.kinds = lattice.kinds
        self.kind = [
            lattice.class_of(lattice.point(location.at))
            for location in puzzle.locations
            if not isinstance(location.at, str)
        ]
        self.order: dict[tuple[Matrix, int, int], tuple[int, ...]] = {}

    def turned(self, turn: Matrix, before: int, after: int, sides: Colours) -> Colours:
        """Return the sides of a tile on location ``before`` after a matrix takes it to ``after``."""
        key = turn, self.kind[before], self.kind[after]
        if key not in self.order:
            steps = [turned(turn, step) for step in self.kinds[key[1]].neighbours]
            self.order[key] = tuple(steps.index(step) for step in self.kinds[key[2]].neighbours)
        return tuple(sides[number] for number in self.order[key])


def _items(encoding: Encoding) -> int:
    return encoding.cover.primary + encoding.cover.secondary


def _item_permutation(encoding: Encoding, element: _GroupElement) -> array[int]:
    """Return the effect of a symmetry on the items (the item that counts empty locations stays)."""
    permutation = array("i", range(_items(encoding)))
    to = element.movement.locations
    for images, items in ((element.pieces, encoding.item_of_piece), (to, encoding.item_of_location)):
        for number, image in enumerate(images):
            if items[number] >= 0 and items[image] >= 0:
                permutation[items[number]] = items[image]
    for (low, high), item in encoding.item_of_side.items():
        one, two = to[low], to[high]
        permutation[item] = encoding.item_of_side[min(one, two), max(one, two)]
    for ways, item in encoding.item_of_crossing.items():
        permutation[item] = encoding.item_of_crossing[ways_of([(to[one], to[two]) for one, two in ways])]
    if (ruled := _ruled(encoding, to, element.pieces)) is not None:
        for first, moved in zip(encoding.first_of_rules, (ruled.primary, ruled.secondary), strict=True):
            for number, image in enumerate(moved):
                permutation[first + number] = first + image
    return permutation


def _ruled(encoding: Encoding, to: Sequence[int], pieces: Sequence[int]) -> Carried | None:
    """Return the effect of a movement of the locations on region rules; None if there are none or it breaks them."""
    if encoding.rules is None:
        return None
    from puzzlec.lower.region_rules import carried

    return carried(encoding.rules, to, pieces)
