"""The symmetry of a solution: the elements of the puzzle's group that map it to itself.

By the orbit-stabiliser theorem, a distinct solution represents as many raw ones as the order of the group divided by
the order of this symmetry.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from puzzlec.diagnostics import listed
from puzzlec.geometry import Lattice
from puzzlec.geometry.lattice import identity
from puzzlec.geometry.wording import IsometryWords, words
from puzzlec.geometry.wrapping import Isometry
from puzzlec.ir import Puzzle, Solution
from puzzlec.lower import Encoding, Symmetry, encode
from puzzlec.lower import symmetry as symmetry_group
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.shown import brief

#: More elements than this are named by their kinds.
MAX_ELEMENTS_NAMED = 3


class OwnSymmetry(NamedTuple):
    """The elements of a group that map a solution to itself, without the identity: their numbers, and words for them.

    ``kinds`` are the words without the axes of rotations in space.
    """

    def __repr__(self) -> str:
        return brief(self)

    elements: tuple[int, ...]
    words: tuple[str, ...]
    kinds: tuple[str, ...]

    @property
    def order(self) -> int:
        """Number of elements, with the identity."""
        return 1 + len(self.elements)

    @property
    def summary(self) -> str:
        """The elements in short: each of up to three, or their kinds.

        >>> OwnSymmetry((1,), ("half turn",), ("half turn",)).summary
        'half turn'
        """
        if len(self.words) <= MAX_ELEMENTS_NAMED:
            return "; ".join(self.words) or "none"
        return "; ".join(f"{kind} ({number})" if number > 1 else kind for kind, number in Counter(self.kinds).items())

    def __str__(self) -> str:
        """Return a sentence about the symmetry.

        >>> str(OwnSymmetry((1, 2), ("half turn", "mirrored left to right"), ("half turn", "mirrored left to right")))
        'this one has a half turn, and is mirrored left to right'
        """
        if not self.elements:
            return "no symmetry"
        if len(self.words) > MAX_ELEMENTS_NAMED or not all(map(_is_plain, self.words)):
            plural = "ies" if len(self.words) > 1 else "y"
            return f"this one has {len(self.words)} symmetr{plural}: {self.summary}"
        turns = [f"a{'n' * text.startswith('eighth')} {text}" for text in self.words if " turn" in text]
        mirrors = [text for text in self.words if " turn" not in text]
        clauses = [f"{verb} {listed(several)}" for verb, several in (("has", turns), ("is", mirrors)) if several]
        return "this one " + ", and ".join(clauses)


class OwnSymmetries:
    """Finds the symmetries of solutions of one puzzle, under one group."""

    def __init__(self, encoding: Encoding, group: Symmetry) -> None:
        self.encoding, self.group = encoding, group
        self.option = {pair: k for k, pair in enumerate(zip(encoding.piece, encoding.index, strict=True))}
        self._names: dict[int, IsometryWords] = {}

    def options(self, solution: Solution) -> tuple[int, ...]:
        """Return the options of a solution, ascending, with those that leave locations empty."""
        placed = [self.option[placement.number, placement.index] for placement in solution.placements]
        bare = [(-1, place) for place, on in enumerate(solution.pieces_on) if on is None]
        ruled = self.encoding.rule_options(solution.placements)
        return tuple(sorted(placed + [self.option[option] for option in (*bare, *ruled) if option in self.option]))

    def name(self, element: int) -> IsometryWords:
        """Return words for an element of the group."""
        if element not in self._names:
            self._names[element] = _name(self.group, element, self.encoding.fitting.puzzle)
        return self._names[element]

    def of(self, solution: Solution) -> OwnSymmetry:
        """Return the symmetry of a solution."""
        options = self.options(solution)
        there = set(options)
        elements = tuple(
            number
            for number, image in enumerate(self.group.options)
            if number and all(image[option] in there for option in options)
        )
        named = [self.name(number) for number in elements]
        return OwnSymmetry(
            elements,
            tuple(map(str, named)),
            tuple(words.kind.replace(" about {}", "").replace(" along {}", "") for words in named),
        )


def own_symmetry(solution: Solution, *, symmetry: SymmetryKind = "all") -> OwnSymmetry:
    r"""Return the symmetry of a solution: the elements of the puzzle's group that map it to itself.

    The group is computed each time.

    Args:
        solution: The solution.
        symmetry: The symmetries that count, as in :func:`puzzlec.solve`.

    Raises:
        ValueError: If it is too large to list.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> [puzzlec.own_symmetry(solution).words for solution in puzzlec.solve(puzzle)]
    [('half turn', 'mirrored left to right', 'mirrored top to bottom'), ('mirrored left to right',)]

    """
    encoding = encode(solution.fitting)
    return OwnSymmetries(encoding, symmetry_group(encoding, symmetry)).of(solution)


def _name(group: Symmetry, element: int, puzzle: Puzzle | None) -> IsometryWords:
    """Return words for an element: the name of an isometry, or the order of another symmetry."""
    if puzzle is not None and puzzle.lattice is not None and group.movements:
        isometry = group.movements[element]
        if puzzle.wrapping is not None and element and isometry.turn == identity(len(isometry.turn)):
            return IsometryWords(f"moved by {_shift(isometry, puzzle.lattice)}")
        return words(isometry.turn, puzzle.lattice)
    return IsometryWords("identity" if element == 0 else f"symmetry of order {_order(group, element)}")


def _shift(isometry: Isometry, lattice: Lattice) -> str:
    """Return the image of the cell 0 under a shift, in cells."""
    start = lattice.point((0,) * lattice.coordinates)
    cell = lattice.cell(isometry.image(start))
    return ",".join(map(str, (cell or isometry.shift)[: lattice.dimension]))


def _order(group: Symmetry, element: int) -> int:
    """Return the order of an element: the power that is the identity on options."""
    image = group.options[element]
    order, power = 1, image
    while any(option != image for option, image in enumerate(power)):
        order, power = order + 1, type(image)("i", [image[option] for option in power])
    return order


def _is_plain(text: str) -> bool:
    """Return whether words describe a property, not a thing."""
    return ", " not in text and (text.endswith(" turn") or " turn " in text or text.startswith("mirrored"))
