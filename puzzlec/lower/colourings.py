"""Well-known colourings: checkerboard, stripes, diagonals and blocks. Each marks some of the locations.

Golomb used most of them; the blocks are from N. G. de Bruijn ("Filling boxes with bricks", 1969).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from puzzlec.diagnostics.phrase import Phrase, say
from puzzlec.geometry import Cell, Lattice
from puzzlec.ir import Fitting
from puzzlec.ir.puzzle import cells_of

_AXES = "xyzwuvst"
#: Names of the cells of the classes 0 and 1 if there are two.
SHADES = ("dark", "light")
_EXTRA_WORDS = ("", "one more than", "two more than", "three more than", "four more than")


@dataclass(frozen=True)
class Colouring:
    """Weights of the locations, with words for them.

    ``where`` begins a sentence. ``dark`` names the cells of weight 1, ``light`` those of weight -1 (empty if there are
    none). ``rule`` describes the cells of weight 1. If it describes a whole pattern, ``shade`` is the shade of theirs.
    """

    weights: tuple[int, ...]
    where: Phrase | str
    dark: Phrase
    rule: Phrase
    light: Phrase | None = None
    shade: str = ""

    @property
    def is_shaded(self) -> bool:
        """Whether the cells are dark or light, which only the rule explains."""
        return self.dark.text.removesuffix(" cells") in SHADES


@dataclass(frozen=True)
class _Classes:
    """Cells in classes 0, 1, ..., with words for the cells of a class, and the rule for them or for the pattern."""

    number: int
    of: Callable[[Cell], int]
    where: Phrase | str
    words: Callable[[int], Phrase]
    rule: Callable[[int], Phrase]
    is_pattern: bool = False

    def colouring(self, weights: tuple[int, ...], number: int, light: Phrase | None = None) -> Colouring:
        """Return the colouring in which the cells of a class have weight 1."""
        shade = SHADES[number] if self.is_pattern else ""
        return Colouring(weights, self.where, self.words(number), self.rule(number), light, shade)


def colourings(fitting: Fitting) -> Iterator[Colouring]:
    """Yield the colourings of a fitting's locations, the simplest first; none without a lattice."""
    puzzle = fitting.puzzle
    whole = tuple([1] * fitting.locations)
    if puzzle is None or puzzle.lattice is None:
        yield Colouring(whole, "", say("locations"), say("mark every location"))
        return
    cells = cells_of(puzzle)
    yield Colouring(whole, "", *_every("cells"))
    colours = sorted({location.colour for location in puzzle.locations if location.colour is not None})
    everything = [*_kinds(puzzle.lattice), *_forms(puzzle.lattice, cells)]
    seen = {whole}
    for classes in everything:
        of = [classes.of(cell) for cell in cells]
        for number in range(classes.number):
            weights = tuple([int(colour == number) for colour in of])
            if any(weights) and weights not in seen:
                seen.add(weights)
                yield classes.colouring(weights, number)
    for colour in colours:
        weights = tuple([int(location.colour == colour) for location in puzzle.locations])
        yield Colouring(weights, "", *_every("cells of colour {colour}", colour=f"`{colour}`"))
    for classes in everything:
        of = [classes.of(cell) for cell in cells]
        for dark, light in combinations(range(classes.number), 2):
            if dark in of and light in of:
                weights = tuple([(colour == dark) - (colour == light) for colour in of])
                yield classes.colouring(weights, dark, classes.words(light))


def _every(cells: str, **values: Phrase | str | int) -> tuple[Phrase, Phrase]:
    """Return the name of some cells, and the rule that marks them."""
    one = say(cells.replace("cells", "cell"), **values)
    return say(cells, **values), say("mark every {cell}", cell=one)


def _kinds(lattice: Lattice) -> Iterator[_Classes]:
    """Yield the kinds of cell of a lattice with several."""
    names = [f"`{kind.name}`" for kind in lattice.kinds]
    if len(names) > 1:
        yield _named(
            len(names), lambda cell: cell[-1], lambda number: _every("cells of kind {kind}", kind=names[number])
        )


def _named(number: int, of: Callable[[Cell], int], words: Callable[[int], tuple[Phrase, Phrase]]) -> _Classes:
    """Return classes named by a common property of their cells."""
    return _Classes(number, of, "", lambda n: words(n)[0], lambda n: words(n)[1])


def _shades(
    of: Callable[[Cell], int], where: Phrase | str, rule: Callable[[int], Phrase], is_pattern: bool = False
) -> _Classes:
    """Return the dark and the light cells of a pattern like a checkerboard."""
    return _Classes(len(SHADES), of, where, lambda n: say(f"{SHADES[n]} cells"), rule, is_pattern)


def _forms(lattice: Lattice, cells: Sequence[Cell]) -> Iterator[_Classes]:
    """Yield checkerboard, stripes and diagonals modulo 2 and 3, then blocks, corners, and patterns modulo 4 and 5."""
    dimension = lattice.dimension
    ones = (1,) * dimension
    signs = product((1, 0, -1), repeat=dimension)
    # If a form and its negative both occur, the form that begins with 1 is enough.
    forms = sorted(
        [sign for sign in signs if sign > (0,) * dimension],
        key=lambda form: (form != ones, sum(map(abs, form)), form.count(-1)),
    )
    origin = tuple(min(axis) for axis in zip(*cells, strict=True))
    for modulus in (2, 3):
        yield from (_form(form, modulus) for form in forms if modulus > 2 or -1 not in form)
    positive = [form for form in forms if -1 not in form]
    yield from (_blocks(form, size, origin) for size in (2, 3) for form in positive)
    for count in range(2, dimension + 1):
        yield from (_corners(axes) for axes in combinations(range(dimension), count))
    for modulus in (4, 5):
        yield from (_form(form, modulus) for form in forms)


def _form(form: Sequence[int], modulus: int) -> _Classes:
    """Return the classes of a linear form of the coordinates by its remainder."""

    def of(cell: Cell) -> int:
        return sum([a * x for a, x in zip(form, cell, strict=False)]) % modulus

    terms = "".join(("- ", "", "+ ")[a + 1] + _AXES[axis] + " " for axis, a in enumerate(form) if a).strip("+ ")

    def words(number: int) -> tuple[Phrase, Phrase]:
        if modulus == 2:
            return _every(f"cells with {{terms}} {('even', 'odd')[number]}", terms=terms)
        if number == 0:
            return _every("cells with {terms} a multiple of {modulus}", terms=terms, modulus=modulus)
        more = "cells with {terms} {more} a multiple of {modulus}"
        return _every(more, terms=terms, more=_EXTRA_WORDS[number], modulus=modulus)

    def rule(number: int) -> Phrase:
        return say(f"call every {{cell}} {SHADES[number]}", cell=words(number)[1].values["cell"])

    if modulus == 2 and len(form) > 1 and all(form):
        return _shades(of, say("on a checkerboard "), rule)
    return _named(modulus, of, words)


def _blocks(form: Sequence[int], size: int, origin: Cell) -> _Classes:
    """Return the dark and the light cells of blocks coloured like a checkerboard, or of stripes."""

    def of(cell: Cell) -> int:
        return sum([a * ((x - o) // size) for a, x, o in zip(form, cell, origin, strict=False)]) % 2

    corner = "(" + ",".join(map(str, origin)) + ")"
    along = [_AXES[axis] for axis, a in enumerate(form) if a]
    if len(along) == 1:
        stripes = say("stripes along {axis}, {size} cells wide", axis=along[0], size=size)
        where = say("with {stripes}, alternately dark and light, ", stripes=stripes)
        rule = say("draw {stripes}, the first one dark", stripes=stripes)
    else:
        sizes = "x".join([str(size)] * len(along))
        blocks = say("{sizes} blocks" if all(form) else "{sizes} blocks along {axes}", sizes=sizes, axes=_joined(along))
        where = say("on a checkerboard of {blocks} ", blocks=blocks)
        rule = say("colour {blocks} like a checkerboard, dark at {corner}", blocks=blocks, corner=corner)
    return _shades(of, where, lambda _: rule, is_pattern=True)


def _joined(names: Sequence[Phrase | str]) -> Phrase:
    """Return names, joined by "and"."""
    phrase = say("{name}", name=names[0])
    for name in names[1:]:
        phrase = say("{before} and {name}", before=phrase, name=name)
    return phrase


def _corners(axes: Sequence[int]) -> _Classes:
    """Return classes of cells: cells of a class agree in which of the coordinates of some axes are even."""

    def of(cell: Cell) -> int:
        return sum([(cell[axis] & 1) << place for place, axis in enumerate(axes)])

    def words(number: int) -> tuple[Phrase, Phrase]:
        parities = [
            say(f"{{axis}} {('even', 'odd')[number >> place & 1]}", axis=_AXES[axis]) for place, axis in enumerate(axes)
        ]
        return _every("cells with {parities}", parities=_joined(parities))

    return _named(1 << len(axes), of, words)
