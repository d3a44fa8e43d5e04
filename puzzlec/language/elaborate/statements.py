"""The table of statements: the meaning of each for the compiler, messages, editors and the reference.

All lists of statements are made from this table, and word lists in messages have its order. The grammar has the form
of each statement; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from types import MappingProxyType
from typing import NamedTuple

from puzzlec.language.elaborate import (
    declarations,
    expectations,
    locations,
    meetings,
    pieces,
    regions,
    rules,
    uses,
    values,
)
from puzzlec.language.elaborate.context import Context
from puzzlec.language.expressions import Tree


class Phase(Enum):
    """When a statement is elaborated. The order of the phases does not depend on the order in the text."""

    HEAD = auto()  # before loops, which use parameters and the lattice
    COLOURS = auto()
    LOCATIONS = auto()
    BOARD = auto()  # once all locations are known
    PIECES = auto()
    RULES = auto()


#: The pages of the reference in ``docs/language/``.
PUZZLES, RULES, LOOPS = "puzzles", "rules-and-costs", "numbers-and-loops"


class WordSense(NamedTuple):
    """The meaning of a word within statements, and its section in the reference. Default: the statement's section."""

    meaning: str
    anchor: str = ""
    page: str = ""


class Statement(NamedTuple):
    """A kind of statement.

    Attributes:
        word: Its first word.
        elaborate: Function that elaborates it. None: it is a loop, which repeats other statements.
        phase: When it is elaborated.
        help: Its meaning: the first sentence of its section in the reference.
        expects: Descriptions of expected parts, with malformed texts that end where the part is missing.
        words: Other words of the language that are described with it.
        names: Kind of thing whose name follows the first word: a piece, parameter, lattice or library.
        once: Whether a second statement of this kind is an error.
        in_blocks: Whether it is allowed in a block.
        rule: Its rule in the grammar. Default: the word.
        page: The page of the reference with its section.
        part: The anchor of its section. Default: the word.

    """

    word: str
    elaborate: Callable[[Context, Tree], None] | None
    phase: Phase
    help: str
    expects: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    words: Mapping[str, WordSense] = MappingProxyType({})
    names: str = ""
    once: bool = False
    in_blocks: bool = True
    rule: str = ""
    page: str = PUZZLES
    part: str = ""

    @property
    def kind(self) -> str:
        """Name of its tree."""
        return self.rule or self.word

    @property
    def anchor(self) -> str:
        """Anchor of its section in the reference."""
        return self.part or self.word


_BOARD = "a region such as `box 6x10`, or a drawing in `{ }`"
_EDGES = "On lattices of edges: all edges that are sides of cells"
_SHAPES = {
    "hexagon": "a regular hexagon, by the length of its sides",
    "triangle": "an equilateral triangle, by the length of its sides",
    "diamond": "all cells that are fewer steps than its size from the middle",
    "pyramid": "layers, or rows, each smaller than the one below",
    "tetrahedron": "a tetrahedron of balls, by their number along an edge",
    "cross": "two arms that cross in the middle, or more in solids, by their length",
    "ring": "a board around a hole, by its size outside",
}
_BOARD_REGION = "a region such as `box 6x10` or a drawing in `{ }`"
_REGION = "a region such as `box 2x2 at (0,0)` or a drawing"
_PIECE = "the name of the piece"
_CELLS = "`at` and the cells of the placement"

STATEMENTS = (
    Statement(
        "puzzle", declarations.title, Phase.HEAD, once=True, in_blocks=False, rule="title",
        help="The title, in double quotes",
        expects={"the title in double quotes": ("puzzle }",)},
    ),
    Statement(
        "lattice", declarations.lattice, Phase.HEAD, once=True, in_blocks=False, names="lattice",
        help="The kind of cells, or no geometry",
        words={"none": WordSense("No geometry: locations have names")},
        expects={"the name of a lattice": ("lattice }",)},
    ),
    Statement(
        "colours", declarations.colours, Phase.HEAD, in_blocks=False, part="colours-1",
        help="The characters for colours in drawings and on sides of tiles",
        expects={"a colour of one character": ("colours",)},
    ),
    Statement(
        "regions", rules.regions, Phase.COLOURS, in_blocks=False, part="regions-1",
        help="The letters for regions in drawings of locations",
        expects={"the letters of regions": ("regions",)},
    ),
    Statement(
        "region", regions.define, Phase.COLOURS, rule="named_region", names="region",
        help="A name for a region, which any statement may use instead of the region",
        expects={
            "the name of a region": ("region }",),
            "`=` and a region": ("region a }", "region a[1] }"),
            _BOARD_REGION: ("region a = }",),
        },
    ),
    Statement(
        "param", declarations.param, Phase.HEAD, in_blocks=False, names="parameter", page=LOOPS,
        help="A named number that `-p` can override",
        expects={"the name of a parameter": ("param }",), "a value": ("param n = }",)},
    ),
    Statement(
        "locations", locations.locations, Phase.LOCATIONS,
        help="The locations that must be covered, as a region or by their names",
        words={
            "box": WordSense("A box at the origin: one, two or three sizes, depending on the lattice", "regions"),
            "grid": WordSense("On `lattice sticks`: all edges of a board of squares, columns by rows", "regions"),
            **{word: WordSense(f"A board shape: {meaning}", "board-shapes") for word, meaning in _SHAPES.items()},
            "width": WordSense("The width of a `ring`, or of the arms of a `cross`", "board-shapes"),
            "edges": WordSense(_EDGES, "edges-of-cells"),
            "of": WordSense(_EDGES, "edges-of-cells"),
            "cells": WordSense("The listed cells", "regions"),
            "names": WordSense("With `lattice none`, the locations with these names", "regions"),
            "at": WordSense("Moves a region, precedes the cells that a piece covers, or begins `at most`", "regions"),
        },
        expects={_BOARD: ("locations }",)},
    ),
    Statement(
        "optional", locations.optional, Phase.LOCATIONS,
        help="Locations that may stay empty",
        expects={_BOARD: ("optional locations }",)},
    ),
    Statement(
        "use", uses.use, Phase.COLOURS, in_blocks=False,
        help="The pieces of another file",
        expects={"the name of a file in double quotes": ("use }",)},
    ),
    Statement(
        "piece", pieces.piece, Phase.PIECES, names="piece",
        help="A piece: its name, copies, freedom and shape",
        words={
            "one-sided": WordSense("The piece may be rotated, but not reflected", "freedom"),
            "fixed": WordSense("The piece may only be moved", "freedom"),
            "free": WordSense("The piece may be rotated and reflected", "freedom"),
            "mirror": WordSense("The mirror image of a shape", "the-shape-of-another-piece"),
            "covers": WordSense("The placements of the piece, each a set of locations", "listed-placements"),
            "sides": WordSense("The colours of the sides of a tile, in the order of its neighbours", "sides"),
        },
        expects={
            "a piece name": ("piece }",),
            "a drawing in `{ }`, `=`, `cells`, `covers` or `sides`": ("piece A }", "piece A x2 }", "piece A[1] }"),
            "cells such as `(0,0)`": ("piece A cells }",),
            "the name of a piece, or of a shape library": ("piece A = }", "piece A = mirror }"),
            "a dot and the name of a shape, or the end of the line": (
                "piece A = pentominoes (", "piece A = mirror pentominoes (",
            ),
            "the name of a shape": ("piece A = pentominoes. }", "piece A = polyominoes 7 }"),
            "placements such as `{0 1}`": ("piece A covers a",),
            "the colours of the sides": ("piece A sides }",),
        },
    ),
    Statement(
        "pieces", pieces.pieces, Phase.PIECES, part="pieces-1", names="library",
        help="All pieces of a library, or a choice of them with `only` or `except`",
        words={
            "except": WordSense("The pieces of the library to leave out"),
            "only": WordSense("The pieces of the library to take"),
        },
        expects={
            "the name of a shape library": ("pieces }",),
            "the names of pieces to leave out": ("pieces pentominoes except }",),
            "the names of pieces to take": ("pieces pentominoes only }",),
            "the name of another piece": ("pieces pentominoes except I, }", "pieces pentominoes only I, }"),
        },
    ),
    Statement(
        "values", values.values, Phase.PIECES,
        help="A piece of one cell for each value, any number of copies of it",
        expects={"values such as `1..9` or `A B C`": ("values }",), "another value": ("values 1, }",)},
    ),
    Statement(
        "paint", rules.paint, Phase.RULES, names="piece",
        help="The colour of a piece in pictures, pages and models",
        expects={
            _PIECE: ("paint }",),
            "a colour such as `red` or `\"#ff8000\"`": ("paint A }", "paint A[1] }"),
        },
    ),
    Statement(
        "allow", declarations.allow, Phase.COLOURS,
        help="A cell of the first colour may also lie on locations of the others",
        expects={"a colour": ("allow }",), "`on` and the colours of locations": ("allow a }",)},
    ),
    Statement(
        "empty", declarations.empty, Phase.COLOURS, once=True, in_blocks=False,
        help="The number of optional locations that stay empty",
        expects={"how many locations may stay empty, such as `2` or `0..3`": ("empty }",)},
    ),
    Statement(
        "frame", declarations.frame, Phase.COLOURS, once=True, in_blocks=False,
        help="Tile sides at the border of the board must have one of these colours",
        expects={"the colours of sides at the border": ("frame }",)},
    ),
    Statement(
        "crossing", declarations.crossing, Phase.COLOURS, once=True, in_blocks=False,
        help="With `crossing`, pieces on lattices of edges may cross",
    ),
    Statement(
        "wrap", locations.wrap, Phase.BOARD, once=True, in_blocks=False,
        help="`wrap` joins opposite sides: a piece that leaves on one side re-enters on the other",
        words={"twisted": WordSense("Reflects the board where it wraps around")},
        expects={"an axis such as `x`, or a vector such as `(8,0)`": ("wrap }",)},
    ),
    Statement(
        "match", declarations.match, Phase.COLOURS,
        help="Sides of these two colours meet each other instead of equal colours",
        expects={"two colours": ("match }",), "a second colour": ("match a }",)},
    ),
    Statement(
        "place", rules.place, Phase.RULES, names="piece", page=RULES,
        help="Every copy of the piece lies `inside` a region, `on` it or `off` it",
        words={
            "inside": WordSense("The piece covers only locations of the region"),
            "on": WordSense("The piece covers at least one location of the region"),
            "off": WordSense("The piece covers no location of the region"),
        },
        expects={
            _PIECE: ("place }",),
            "`inside`, `on` or `off`": ("place A }", "place A[1] }"),
            _REGION: ("place A inside }", "place A on }", "place A off }"),
        },
    ),
    Statement(
        "fix", rules.fix, Phase.RULES, names="piece", page=RULES,
        help="The piece lies exactly on these cells",
        expects={_PIECE: ("fix }",), _CELLS: ("fix A }",), _REGION: ("fix A at }",)},
    ),
    Statement(
        "forbid", rules.forbid, Phase.RULES, names="piece", page=RULES,
        help="No copy of the piece lies exactly on these cells",
        expects={_PIECE: ("forbid }",), _CELLS: ("forbid A }",), _REGION: ("forbid A at }",)},
    ),
    Statement(
        "rule", rules.rule, Phase.RULES, page=RULES,
        help="The values on a region have this sum, are all equal or all different, or so many pieces lie there",
        words={
            "sum": WordSense("The sum of the numbers that pieces show on the region"),
            "all": WordSense("All colours that pieces show on the region are equal, or all are different"),
            "equal": WordSense("The pieces show one colour on the region"),
            "different": WordSense("The pieces show no colour twice on the region"),
            "each": WordSense("The rule applies to each of these parts of the board"),
            "row": WordSense("Each row: the locations that differ only in x"),
            "column": WordSense("Each column: the locations that differ only in y"),
            "diagonal": WordSense("Each diagonal, in both directions"),
            "line": WordSense("Each line in the direction of an axis or of a vector"),
            "exactly": WordSense("The number of pieces that cover a location of the region"),
            "at most": WordSense("The greatest number of pieces that cover a location of the region"),
            "at least": WordSense("The least number of pieces that cover a location of the region"),
        },
        expects={
            "a region, by its letter or as `box 2x2 at (0,0)` or a drawing": ("rule }",),
            "`sum`, `all` or a number such as `at most 1`": ("rule A }",),
            "a part of the board such as `row`, `column`, `box 3x3` or `line x`": ("rule each }", "rule each row, }"),
            "an axis or a direction such as `(1,1)`": ("rule each line }",),
            "a number of pieces": ("rule A exactly }",),
            "`=`, `<` or `>`": ("rule A sum }",),
            "a number or a range": ("rule A sum = }",),
            "`equal` or `different`": ("rule A all }",),
        },
    ),
    Statement(
        "together", rules.together, Phase.RULES, page=RULES,
        help="Pieces that may stay together when the puzzle is taken apart",
        expects={"the names of pieces that may stay together": ("together }",)},
    ),
    Statement(
        "wall", rules.wall, Phase.RULES, page=RULES,
        help="Cells outside the locations that never move when the puzzle is taken apart",
        expects={_REGION: ("wall }",)},
    ),
    Statement(
        "immovable", rules.immovable, Phase.RULES, page=RULES,
        help="Pieces that never move when the puzzle is taken apart",
        expects={"the names of pieces that never move": ("immovable }",)},
    ),
    Statement(
        "no", meetings.no, Phase.RULES, page=RULES,
        help="At no point do four pieces meet, or no straight line cuts the board without cutting a piece",
        words={
            "crossroads": WordSense("At no point do four pieces meet; in space, along no edge"),
            "faults": WordSense("A piece crosses each straight line that cuts the board in two; in space, each plane"),
            "across": WordSense("Only lines on which this coordinate is constant"),
        },
        expects={
            "`crossroads` or `faults`": ("no }",),
            "an axis such as `x`": ("no faults across }",),
        },
    ),
    Statement(
        "at", meetings.at_most, Phase.RULES, rule="at_most", page=RULES,
        help="At no point do more pieces meet than this number",
        words={
            "most": WordSense("With `at most 2 at a point`, no three pieces meet at a point; in space, along an edge"),
        },
        expects={
            "`most`": ("at }",),
            "a number": ("at most }",),
            "`at a point`": ("at most 3 }",),
        },
    ),
    Statement(
        "apart", meetings.apart, Phase.RULES, page=RULES,
        help="No two of these pieces share a side",
        words={
            "copies": WordSense("The copies of each piece keep apart"),
            "with": WordSense("With `with corners`, the pieces share no corner either"),
            "corners": WordSense("With `with corners`, the pieces share no corner either"),
        },
        expects={"names of pieces, `copies` or `colours`": ("apart }",), "`corners`": ("apart A with }",)},
    ),
    Statement(
        "touching", meetings.touching, Phase.RULES, page=RULES,
        help="The two pieces share a side, or the piece touches the border",
        words={"border": WordSense("The locations beside the outside of the board", "places-of-every-board", PUZZLES)},
        expects={"the name of a piece, or `all`": ("touching }",), "a piece or `border`": ("touching A }",)},
    ),
    Statement(
        "symmetric", meetings.symmetric, Phase.RULES, page=RULES,
        help="The solution is equal to its image under this motion",
        words={
            "half-turn": WordSense("The rotation by 180 degrees; in space, around an axis"),
            "third-turn": WordSense("The rotation by 120 degrees; in space, around an axis"),
            "quarter-turn": WordSense("The rotation by 90 degrees; in space, around an axis"),
            "sixth-turn": WordSense("The rotation by 60 degrees; in space, around an axis"),
            "inversion": WordSense("The reflection in the centre of the board"),
        },
        expects={"a motion such as `half-turn` or `mirror x`": ("symmetric }",)},
    ),
    Statement(
        "turns", rules.turns, Phase.RULES, once=True, in_blocks=False, page=RULES,
        help="With `turns`, pieces also turn when the puzzle is taken apart",
    ),
    Statement(
        "cost", rules.cost, Phase.RULES, names="piece", page=RULES,
        help="The cost of a piece, a colour, an empty location, a crossroads or a fault",
        words={
            "colour": WordSense("Each cell of the colour pays"),
            "per": WordSense("Each location of the region that is covered pays, or each that stays empty"),
        },
        expects={"`=` and the cost": ("cost A }",), "the cost": ("cost A = }",)},
    ),
    Statement(
        "expect", expectations.expect, Phase.RULES, in_blocks=False, page=RULES,
        help="The number of solutions that the author promises",
        words={
            "raw": WordSense("The number of solutions that `--symmetry none` counts"),
            "rotations": WordSense("The number of solutions up to rotations, as `--symmetry rotations` counts them"),
            "parts": WordSense("The number of solutions that `--symmetry parts` counts"),
            "comes-apart": WordSense("The number of distinct assemblies that come apart"),
            "min-cost": WordSense("The lowest cost of a solution"),
            "max-cost": WordSense("The highest cost of a solution"),
            "level": WordSense("The best level of an assembly"),
            "unknown": WordSense("The number of solutions is unknown"),
            "least": WordSense("The number may be greater"),
        },
        expects={
            "a number such as `2339`, or `raw`, `level` or `unknown`": ("expect }",),
            "a number": ("expect raw }", "expect at least }"),
            "a level such as `5.3`": ("expect level }",),
        },
    ),
    Statement(
        "for", None, Phase.HEAD, rule="repeat", page=LOOPS,
        help="Repeated statements, once for each value of the variables",
        words={
            "in": WordSense("Precedes the values of a variable"),
            "where": WordSense("Skips the iterations for which the condition does not hold"),
            "and": WordSense("Both conditions hold", "expressions"),
            "or": WordSense("One of the conditions holds, or both", "expressions"),
            "not": WordSense("The condition does not hold", "expressions"),
            "min": WordSense("The least of several numbers", "expressions"),
            "max": WordSense("The greatest of several numbers", "expressions"),
            "abs": WordSense("The absolute value of a number", "expressions"),
        },
        expects={
            "a variable": ("for }", "for i in 1..2, }"),
            "`in` and a range such as `1..8`": ("for i }",),
            "a range such as `1..8`, or a list such as `(1, 3, 7)`": ("for i in }",),
            "the end of the range": ("for i in 1.. }",),
            "a condition": ("for i in 1..2 where }",),
        },
    ),
)  # fmt: skip

#: First words of statements.
KEYWORDS = tuple(statement.word for statement in STATEMENTS)

#: All words of the language, each with its meaning and its section in the reference.
WORDS = {statement.word: WordSense(statement.help, statement.anchor, statement.page) for statement in STATEMENTS}
# `at` also begins a statement, but is mostly a word of regions.
WORDS |= {
    word: WordSense(about.meaning, about.anchor or statement.anchor, about.page or statement.page)
    for statement in STATEMENTS
    for word, about in statement.words.items()
}

#: Statements by the names of their trees.
BY_KIND = {statement.kind: statement for statement in STATEMENTS}
