"""Impossibility by colouring or weighing the locations, in words for people.

``weighing`` finds out whether there is a proof. This module chooses the simplest one: a well-known colouring, or else
weights of few sizes. It reports nothing that ``holds`` does not confirm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from puzzlec.diagnostics import Span, counted
from puzzlec.geometry import Cell
from puzzlec.geometry.drawing import BLANK, drawn_rule, spread
from puzzlec.ir import Fitting
from puzzlec.lower.colourings import Colouring, colourings
from puzzlec.lower.linear_invariants import (
    MOST_ENTRIES,
    Lot,
    Witness,
    entries,
    holds,
    judge,
    lots,
    plain,
    proofs,
    screen,
    sparse,
    weighed,
)

#: Maximum number of locations of a board on which colourings are tried.
MOST_LOCATIONS = 2500

#: Maximum number of names in a list, and the maximum number of columns and rows of a drawing.
MOST_NAMES, COLUMNS, ROWS = 6, 80, 24


class Proof(NamedTuple):
    """A weighing that proves that no solution exists, and the colouring that it comes from, if any."""

    witness: Witness
    colouring: Colouring | None


class Reason(NamedTuple):
    """A proof in words: one sentence, the arithmetic, and the piece whose copies the volume determines."""

    message: str
    notes: tuple[str, ...]
    span: Span | None


def parity(fitting: Fitting, pieces: str = "piece") -> Reason | None:
    """Return the reason why a fitting has no solution, if a colouring or weighing of its locations proves it.

    ``pieces`` names the pieces of a fitting that was an exact cover: "item" if each option has one of the first items,
    else "option". The reason then names items and options.
    """
    proof = find_proof(fitting)
    return None if proof is None else _Words(fitting, proof, pieces).reason()


def find_proof(fitting: Fitting) -> Proof | None:
    """Return the simplest weighing that proves that a fitting has no solution.

    Return None if there is none modulo 8, 9, 5 or 7, or if looking for one would take too long.
    """
    if entries(fitting) > MOST_ENTRIES:
        return None
    parts = lots(fitting)
    if sum(len(row) for lot in parts for row in lot.rows) > MOST_ENTRIES:
        return None
    generators = proofs(fitting, parts)
    if generators == (0, []):
        return None
    found = _coloured(fitting, parts)
    if found is not None or generators is None:
        return found
    modulus, vectors = generators
    weights = plain(modulus, sparse(modulus, vectors)[: fitting.locations])
    witness = judge(parts, weights)
    if witness is not None and witness.modulus and not set(weights) <= {-1, 0, 1}:
        witness = judge(parts, [weight % witness.modulus for weight in weights])
    # Independent code decides.
    return Proof(witness, None) if witness is not None and holds(fitting, witness.weights, witness.modulus) else None


def _coloured(fitting: Fitting, parts: Sequence[Lot]) -> Proof | None:
    """Return the first well-known colouring that proves something."""
    if fitting.locations > MOST_LOCATIONS:
        return None
    many = list(colourings(fitting))
    for number, witness in screen(parts, [invariant.weights for invariant in many]):
        colouring = many[number]
        # A difference is simple only if it is the same for all pieces.
        if (not colouring.light or not witness.modulus) and holds(fitting, witness.weights, witness.modulus):
            return Proof(witness, colouring)
    return None


class _Words:
    """The words for a proof. Locations that stay empty are subtracted on both sides: the sentences are about pieces."""

    def __init__(self, fitting: Fitting, proof: Proof, kind: str = "piece") -> None:
        self.kind, self.noun_of_pieces = kind, "piece" if kind == "piece" else "option"
        self.fitting, self.witness, self.colouring = fitting, proof.witness, proof.colouring
        self.modulus = self.witness.modulus
        rows = [*zip(self.witness.lots, self.witness.values, strict=True)]
        self.rows = [(lot, value) for lot, value in rows if not lot.is_empty]
        self.empty = next(((lot, value) for lot, value in rows if lot.is_empty), None)
        self.bare = weighed([self.empty] if self.empty else [])
        self.there, self.together = self.witness.there - self.bare, self.witness.together - self.bare
        self.what = "location" if fitting.puzzle is None or fitting.puzzle.lattice is None else "cell"
        self.what = self.what if kind == "piece" else "item"
        weights = set(self.witness.weights)
        self.marks = weights <= {0, 1}
        are = "is" if self.there == 1 else "are"
        self.but = f"{self.there} {are} to be covered" if self.bare else f"there {are} {self.there}"

    def reason(self) -> Reason:
        """Return message and notes."""
        whole = all(weight == 1 for weight in self.witness.weights)
        notes = ["" if whole else self.rule(), self.pieces(), self.left_empty(), self.volume(), self.sum()]
        span = self.fitting.puzzle.span if self.fitting.puzzle else None
        no = "no solution" if self.kind == "piece" else "no cover"
        return Reason(f"{no}: {self.sentence()}", tuple(filter(None, notes)), span)

    def sentence(self) -> str:
        """Return the whole argument in a sentence."""
        colouring = self.colouring
        if colouring is not None and colouring.light:
            dark, light = (sum(weight == sign for weight in self.witness.weights) for sign in (1, -1))
            covered = self.difference(self.together, colouring.dark, colouring.light)
            there = f"{dark} {colouring.dark.removesuffix(' cells')} and {light} {_ones(colouring.light)}"
            return f"{colouring.where}the pieces cover {covered}, but there are {there}"
        pieces = f"the {self.noun_of_pieces}s"
        if colouring is not None:
            noun = colouring.dark if self.kind == "piece" else colouring.dark.replace("location", "item")
            return f"{colouring.where}{pieces} cover {self.amount(self.together, noun)}, but {self.but}"
        if self.marks:
            return f"{pieces} cover {self.amount(self.together, '')} of certain {self.what}s, but {self.but}"
        modulo = f" (modulo {self.modulus})" if self.modulus else ""
        return (
            f"the {self.what}s can be given weights so that {pieces} weigh {self.rest(self.together)} together, "
            f"but what they are to cover weighs {self.rest(self.there)}{modulo}"
        )

    def amount(self, number: int, noun: str) -> str:
        """Return the number of some locations: exact, odd or even, or as a multiple of the modulus."""
        rest = self.rest(number)
        if self.modulus == 0:
            return f"{number or 'no'} {_of_them(number, noun)}" if noun else f"{number or 'none'}"
        if self.modulus == 2:
            return f"an {('even', 'odd')[rest]} number" + (f" of {noun}" if noun else "")
        more = f"{rest} more than " if rest else ""
        return f"{more}a multiple of {self.modulus} {noun}".rstrip()

    def rest(self, number: int) -> int:
        return number % self.modulus if self.modulus else number

    @staticmethod
    def difference(number: int, dark: str, light: str) -> str:
        if number > 0:
            return f"{number} more {_of_them(number, dark)} than {_ones(light)}"
        if number < 0:
            return f"{-number} more {_of_them(-number, light)} than {_ones(dark)}"
        return f"as many {dark} as {_ones(light)}"

    def rule(self) -> str:
        """Return the marked cells, or the weights of the cells, with a drawing."""
        weights = self.witness.weights
        drawing = self.drawn()
        gaps = ["`.` is outside the board"] * (BLANK in drawing.replace("...", ""))
        if self.colouring is not None and self.colouring.light:
            if drawing:
                key = _key(gaps)
                return f"{self.colouring.dark} are drawn as `+`, {self.colouring.light} as `-`{key}{drawing}"
            # Cells that are named by a common property need no rule.
            return self.colouring.rule.partition(": ")[0] if self.colouring.is_shaded else ""
        if self.marks:
            which = f"the {self.what}s drawn as `#`" if drawing else self.named(1)
            rule = self.colouring.rule if self.colouring else f"mark {which}"
            number = sum(weights)
            shown = ", drawn as `#`" * bool(drawing and self.colouring)
            key = _key([f"`o` is any other {self.what}", *gaps]) if drawing else ""
            between = " " if rule.endswith(" are") else ": "
            return f"{rule}{between}{number} of {counted(len(weights), self.what)}{shown}{key}{drawing}"
        if drawing:
            signs = ["`+` is 1", "`-` is -1"] if set(weights) <= {-1, 0, 1} else []
            return f"weigh each {self.what} as drawn{_key([*signs, *gaps])}{drawing}"
        values = sorted(set(weights) - {0})
        parts = [f"{self.named(value)} weigh{'s' * (weights.count(value) == 1)} {value}" for value in values]
        return "; ".join(parts) + (f"; every other {self.what} weighs 0" if 0 in weights else "")

    def named(self, value: int) -> str:
        """Return the names of the locations of a weight."""
        names = [
            f"`{self.fitting.location_name(at)}`" for at, weight in enumerate(self.witness.weights) if weight == value
        ]
        return f"{self.what}{'s' * (len(names) > 1)} " + _listed(names, 4 * MOST_NAMES)

    def drawn(self) -> str:
        """Return a drawing of the weights on separate lines, or "" if there is no drawing."""
        puzzle = self.fitting.puzzle
        if puzzle is None or puzzle.lattice is None:
            return ""
        cells: dict[Cell, int] = {}
        for location, weight in zip(puzzle.locations, self.witness.weights, strict=True):
            assert isinstance(location.at, tuple)
            cells[location.at] = weight
        rule = drawn_rule(puzzle.lattice, cells)
        if rule is None:
            return ""
        signs = _signs(cells.values())
        texts = {cell: signs[weight] for cell, weight in cells.items()}
        narrow = max(map(len, texts.values())) == 1
        lines = rule.picture(texts) if narrow else [" ".join(row).rstrip() for row in spread(texts, rule, BLANK)]
        shown = [line if len(line) <= COLUMNS else line[:COLUMNS] + "..." for line in lines[:ROWS]]
        return "\n".join(["", *shown, *["..."] * (len(lines) > ROWS)])

    def pieces(self) -> str:
        """Return the locations that each piece covers, or its weight, in any placement; the most frequent case last."""
        groups: dict[int, list[str]] = {}
        for lot, value in self.rows:
            groups.setdefault(self.rest(value), []).extend(
                f"`{self.fitting.piece_name(piece)}`" for piece in lot.pieces
            )
        order = sorted(groups, key=lambda value: (len(groups[value]), value == 0))
        parts = [
            f"{_subject(groups[value], value == order[-1], len(order) > 1, self.kind)} "
            f"{self.does(value, value == order[0])}"
            for value in order
        ]
        modulo = f" (modulo {self.modulus})" if self.modulus and not self.marks else ""
        return "wherever it lies, " * (self.kind == "piece") + ", ".join(parts) + modulo

    def does(self, value: int, first: bool) -> str:
        colouring = self.colouring
        if colouring is not None and colouring.light:
            return ("covers " if first else "") + self.difference(value, colouring.dark, colouring.light)
        if self.marks:
            return ("covers " if first else "") + self.amount(value, self.noun() if first else "")
        return f"{'weighs ' if first else ''}{value}"

    def noun(self) -> str:
        """Return the name of the locations of weight 1 in notes."""
        if self.colouring is not None and self.colouring.is_shaded:
            return self.colouring.dark
        return f"{self.what}s" if all(self.witness.weights) else f"marked {self.what}s"

    def left_empty(self) -> str:
        """Return a note about the locations that stay empty, if their number is given."""
        if self.empty is None:
            return ""
        lot, value = self.empty
        which = f"each of the {lot.copies} {self.what}s that stay" if lot.copies != 1 else f"the {self.what} that stays"
        if self.marks:
            return (
                f"{which} empty is one of the {self.noun()}"
                if value
                else f"{which} empty is not one of the {self.noun()}"
            )
        return f"{which} empty weighs {value}"

    def volume(self) -> str:
        """Return how many copies the volume requires, if the puzzle does not give their number."""
        for lot, value in self.rows:
            pieces = [self.fitting.pieces[piece] for piece in lot.pieces]
            if lot.copies is not None and value and any(piece.low < piece.high for piece in pieces):
                names = _listed([f"`{self.fitting.piece_name(piece)}`" for piece in lot.pieces], MOST_NAMES)
                if self.kind != "piece":
                    which = f" with {names}" if self.kind == "item" else ""
                    return f"to cover all items, it takes {counted(lot.copies, 'option')}{which}"
                return f"to fill the board, it takes {lot.copies} {'copy' if lot.copies == 1 else 'copies'} of {names}"
        return ""

    def sum(self) -> str:
        """Return the total of all pieces."""
        copies: dict[int, int] = {}
        for lot, value in self.rows:
            copies[self.rest(value)] = copies.get(self.rest(value), 0) + (lot.copies or 0)
        terms = [f"{number} x {value}" for value, number in sorted(copies.items()) if value and number]
        if self.modulus == 2:
            odd = copies.get(1, 0)
            if odd < 2:
                return f"together they cover {self.amount(odd, '')}"
            return (
                f"{odd} {self.noun_of_pieces}s cover an odd number each, so together they cover {self.amount(odd, '')}"
            )
        if not terms or terms == ["1 x 1"]:
            return ""
        total = f"together: {' + '.join(terms)} = {self.together}"
        if self.rest(self.together) != self.together:
            return total + f", which is {self.rest(self.together)} modulo {self.modulus}"
        return total


def _key(signs: Sequence[str]) -> str:
    """Return the meanings of characters in a drawing, in brackets."""
    return f" ({', '.join(signs)})" if signs else ""


def _ones(noun: str) -> str:
    """Return a noun for its second use in a sentence: "light ones" after "dark cells"."""
    return noun.removesuffix(" cells") + " ones" if noun.endswith(" cells") else noun


def _of_them(number: int, noun: str) -> str:
    """Return a noun in singular or plural: one cell with x even, two cells with x even."""
    return (
        noun.replace("cells", "cell").replace("locations", "location").replace("items", "item") if number == 1 else noun
    )


def _signs(weights: Iterable[int]) -> dict[int, str]:
    """Return characters for weights: `#` and `o` for 1 and 0, `+`, `-` and `0` for signs, else the numbers."""
    values = set(weights)
    if values <= {0, 1}:
        return {0: "o", 1: "#"}
    if values <= {-1, 0, 1}:
        return {-1: "-", 0: "0", 1: "+"}
    width = max(len(str(value)) for value in values)
    return {value: str(value).rjust(width + (width > 1)) for value in values}


def _subject(names: Sequence[str], last: bool, several: bool, kind: str = "piece") -> str:
    """Return the subject for some pieces; the last group of several is "each other piece"."""
    noun = "piece" if kind == "piece" else "option"
    if last and (several or kind != "piece") and (len(names) > 1 or not several):
        return f"each other {noun}" if several else f"each {noun}"
    if kind == "item":
        listed = _listed(names, MOST_NAMES)
        return f"each option with {'one of ' * (len(names) > 1)}{listed}"
    if len(names) == 1:
        return f"{noun} {names[0]}"
    if last:
        return f"each {noun}"
    return f"each of the {noun}s {_listed(names, MOST_NAMES)}"


def _listed(names: Sequence[str], most: int) -> str:
    """Return names in a list; of very many, only the first.

    >>> _listed(["a", "b", "c"], 6), _listed(["a", "b", "c"], 1)
    ('a, b and c', 'a and 2 others')
    """
    shown = names if len(names) <= most + 1 else [*names[:most], counted(len(names) - most, "other")]
    *first, last = shown
    return f"{', '.join(first)} and {last}" if first else last
