"""Names for the columns and rows of integer programs that every reader of LP and MPS files takes.

They are ASCII letters, digits and ``_ . ~``, begin with a letter that is not an e, and have at most 100 characters,
which is the limit of the reader of COIN-OR (https://github.com/coin-or/CoinUtils, CoinLpIO.cpp); CPLEX and Gurobi take
255. What stands before the first ``_`` makes them different, whatever becomes of the words behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from puzzlec.engine.problem import ExactCover
from puzzlec.formats.solvers.linear import Constraint, auxiliaries
from puzzlec.lower.labels import Labelled

#: A name has at most so many characters.
LONGEST = 100

#: So many characters of the name of a colour stand in other names.
_SHORT = 20

#: So many names are kept, some MB of them.
_REMEMBERED = 1 << 16

#: A column that is 0: the only one of a problem without options, since some readers want one.
NONE = "y0"

_STRANGE = re.compile(r"[^A-Za-z0-9_.~]")


class Columns:
    """The names of the variables of :func:`.linear.constraints`, by their numbers, and of its rows.

    A column is called ``x12_F_0.0_1.0`` (option 12, which means that), or ``y70.red_0.0`` where it says whether
    an item is used in the colour red; a row ``c5_0.0``, item 5.
    """

    def __init__(self, what: Labelled) -> None:
        self._option = what.option
        self._options = len(what.cover)
        self._items = [_word(label) for label in what.items]
        self.auxiliary = list(auxiliaries(what.cover))
        self.colours = colour_words(what.cover, {each.colour for each in self.auxiliary})
        self.number = {(each.item, each.colour): each.variable for each in self.auxiliary}

        #: The name of a variable. The rows of neighbouring locations share options: many names are wanted soon again.
        self.name = lru_cache(_REMEMBERED)(self._name)

    def _name(self, variable: int) -> str:
        if variable <= self._options:
            return f"x{variable}_{_word(self._option(variable - 1))}"[:LONGEST]
        _, item, colour = self.auxiliary[variable - self._options - 1]
        return f"y{variable}.{self.colours[colour]}_{self._items[item]}"[:LONGEST]

    def every(self) -> Iterator[str]:
        """Give the names of all columns in their order."""
        return map(self._name, range(1, self._options + len(self.auxiliary) + 1))

    def row(self, row: Constraint, part: str = "") -> str:
        """Return the name of a row; ``part`` is a word where it needs two.

        Of the rows that define a colour, the first is that of the colour, and each other one names its option.
        """
        option = row.minus[0] if row.colour else 0
        return self.row_of(row.item, row.colour, option if option <= self._options else 0, part)

    def row_of(self, item: int, colour: int = 0, option: int = 0, part: str = "") -> str:
        """Return the name of the row of an item, of its use in a colour, or of that colour in one option."""
        shade = f".{self.colours[colour]}" if colour else ""
        number = f"c{item + 1}{shade}" + f".x{option}" * bool(option) + f".{part}" * bool(part)
        return f"{number}_{self._items[item]}"[:LONGEST]


def colour_words(cover: ExactCover, colours: Iterable[int]) -> dict[int, str]:
    """Return words for some colours, all different: short names of letters and digits as they are.

    Others, and one that is there already, get a ``~`` and their number behind what is left of them.
    """
    found: dict[int, str] = {}
    taken: set[str] = set()
    for colour in sorted(colours):
        name = cover.colour_name(colour)
        word = re.sub("[^A-Za-z0-9]", "", name)[:_SHORT]
        found[colour] = word if word and word == name and word not in taken else f"{word}~{colour}"
        taken.add(found[colour])
    return found


def _word(label: str) -> str:
    """Return a label as a part of a name."""
    return _STRANGE.sub("_", label.replace(" ", "_").replace(",", ".").replace("-", "~"))
