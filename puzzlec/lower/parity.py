"""Impossibility by colouring or weighing the locations, in words for people.

``weighing`` finds out whether there is a proof. This module chooses the simplest one: a well-known colouring, or else
weights of few sizes. It reports nothing that ``holds`` does not confirm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from puzzlec.diagnostics import Span, counted
from puzzlec.diagnostics.phrase import Phrase, say
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


class ParityProof(NamedTuple):
    """A weighing that proves that no solution exists, and the colouring that it comes from, if any."""

    witness: Witness
    colouring: Colouring | None


class ParityReason(NamedTuple):
    """A proof in words: one sentence, the arithmetic, and the piece whose copies the volume determines."""

    message: str
    notes: tuple[str, ...]
    span: Span | None


def parity(fitting: Fitting, pieces: str = "piece") -> ParityReason | None:
    """Return the reason why a fitting has no solution, if a colouring or weighing of its locations proves it.

    ``pieces`` names the pieces of a fitting that was an exact cover: "item" if each option has one of the first items,
    else "option". The reason then names items and options.
    """
    proof = find_proof(fitting)
    return None if proof is None else _ParityWords(fitting, proof, pieces).reason()


def steps(fitting: Fitting, proof: ParityProof) -> list[Phrase]:
    """Return a proof in sentences for a picture of the board that shows the weights."""
    return _ParityWords(fitting, proof).steps()


def find_proof(fitting: Fitting) -> ParityProof | None:
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
    proof = _coloured(fitting, parts)
    if proof is not None or generators is None:
        return proof
    modulus, vectors = generators
    weights = plain(modulus, sparse(modulus, vectors)[: fitting.locations])
    witness = judge(parts, weights)
    if witness is not None and witness.modulus and not set(weights) <= {-1, 0, 1}:
        witness = judge(parts, [weight % witness.modulus for weight in weights])
    # Independent code decides.
    return (
        ParityProof(witness, None) if witness is not None and holds(fitting, witness.weights, witness.modulus) else None
    )


def _coloured(fitting: Fitting, parts: Sequence[Lot]) -> ParityProof | None:
    """Return the first well-known colouring that proves something."""
    if fitting.locations > MOST_LOCATIONS:
        return None
    many = list(colourings(fitting))
    for number, witness in screen(parts, [invariant.weights for invariant in many]):
        colouring = many[number]
        # A difference is simple only if it is the same for all pieces.
        if (not colouring.light or not witness.modulus) and holds(fitting, witness.weights, witness.modulus):
            return ParityProof(witness, colouring)
    return None


class _ParityWords:
    """The words for a proof. Locations that stay empty are subtracted on both sides: the sentences are about pieces."""

    def __init__(self, fitting: Fitting, proof: ParityProof, kind: str = "piece") -> None:
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
        self.whats = f"{self.what}s"
        weights = set(self.witness.weights)
        self.marks = weights <= {0, 1}
        #: The two sets of cells that a colouring compares, if it does.
        colouring = self.colouring
        self.shades = (colouring.dark, colouring.light) if colouring is not None and colouring.light else None

    def reason(self) -> ParityReason:
        """Return message and notes."""
        notes = ["" if self.is_whole else self.rule_drawn(), *map(str, self.arithmetic())]
        span = self.fitting.puzzle.span if self.fitting.puzzle else None
        return ParityReason(str(self.message()), tuple(filter(None, notes)), span)

    @property
    def is_whole(self) -> bool:
        """Whether all locations weigh 1, which needs no rule."""
        return all(weight == 1 for weight in self.witness.weights)

    def steps(self) -> list[Phrase]:
        """Return the proof for a picture of the board that has its colours and weights."""
        rule = None if self.is_whole else self.rule("the dark cells")
        return [*([rule] if rule else []), *self.arithmetic(), self.message()]

    def message(self) -> Phrase:
        no = "no solution: {sentence}" if self.kind == "piece" else "no cover: {sentence}"
        return say(no, sentence=self.sentence())

    def arithmetic(self) -> list[Phrase]:
        """Return the notes without the rule."""
        return [note for note in (self.pieces(), self.left_empty(), self.volume(), self.sum()) if note is not None]

    def sentence(self) -> Phrase:
        """Return the whole argument in a sentence."""
        pieces = f"the {self.noun_of_pieces}s"
        one = self.there == 1
        if self.bare:
            but = say("{n} is to be covered" if one else "{n} are to be covered", n=self.there)
        else:
            but = say("there is {n}" if one else "there are {n}", n=self.there)
        cover = "{where}{pieces} cover {amount}, but {but}"
        if self.colouring is not None and self.shades is not None:
            number = [sum(weight == sign for weight in self.witness.weights) for sign in (1, -1)]
            dark, light = self.shades
            dark = Phrase(dark.text.removesuffix(" cells"), dark.values)
            but = say(
                "there are {dark} and {light}", dark=_number(number[0], dark), light=_number(number[1], _ones(light))
            )
            amount = _difference(self.together, *self.shades)
            return say(cover, where=self.colouring.where, pieces=pieces, amount=amount, but=but)
        if self.colouring is not None:
            noun = self.colouring.dark
            noun = noun if self.kind == "piece" else Phrase(noun.text.replace("location", "item"), noun.values)
            amount = self.amount(self.together, noun)
            return say(cover, where=self.colouring.where, pieces=pieces, amount=amount, but=but)
        if self.marks:
            amount = self.amount(self.together)
            return say(
                "{pieces} cover {amount} of certain {cells}, but {but}",
                pieces=pieces, amount=amount, cells=self.whats, but=but,
            )  # fmt: skip
        return say(
            "the {cells} can be given weights so that {pieces} weigh {together} together, "
            "but what they are to cover weighs {there}{modulo}",
            cells=self.whats,
            pieces=pieces,
            together=self.rest(self.together),
            there=self.rest(self.there),
            modulo=self.modulo(),
        )

    def modulo(self) -> str:
        """Return the modulus of weights in brackets."""
        return f" (modulo {self.modulus})" if self.modulus and not self.marks else ""

    def amount(self, number: int, noun: Phrase | None = None) -> Phrase:
        """Return the number of some locations: exact, odd or even, or as a multiple of the modulus."""
        rest = self.rest(number)
        if self.modulus == 0:
            if noun is None:
                return say("{n}", n=number) if number else say("none")
            return _number(number, _of_them(number, noun)) if number else say("no {cells}", cells=noun)
        if self.modulus == 2:
            name = ("even", "odd")[rest]
            return say(f"an {name} number of {{cells}}", cells=noun) if noun else say(f"an {name} number")
        more = "{rest} more than a multiple of {modulus}" if rest else "a multiple of {modulus}"
        amount = say(more, rest=rest, modulus=self.modulus)
        return say("{amount} {cells}", amount=amount, cells=noun) if noun else amount

    def rest(self, number: int) -> int:
        return number % self.modulus if self.modulus else number

    def rule(self, marked: str) -> Phrase | None:
        """Return how cells are marked or weighed; None if their names say it.

        ``marked`` names the marked cells, if no rule is known for them.
        """
        colouring = self.colouring
        if self.shades is not None and colouring is not None:
            return colouring.rule if colouring.is_shaded else None
        if not self.marks:
            return say("weigh each {cell} as drawn", cell=self.what)
        return self.total(colouring.rule if colouring else say("mark {cells}", cells=marked))

    def total(self, rule: Phrase) -> Phrase:
        """Return the rule of a colouring with the number of cells that it marks."""
        weights, shade = self.witness.weights, self.colouring.shade if self.colouring else ""
        of = f"{{rule}}: {f'{shade} are ' if shade else ''}{{number}} of {{total}} {{cells}}"
        total, cells = len(weights), self.whats if len(weights) > 1 else self.what
        return say(of, rule=rule, number=sum(weights), total=total, cells=cells)

    def rule_drawn(self) -> str:
        """Return the marked cells, or the weights of the cells, with a drawing."""
        weights = self.witness.weights
        drawing = self.drawn()
        gaps = ["`.` is outside the board"] * (BLANK in drawing.replace("...", ""))
        if not drawing and not self.marks and self.shades is None:
            values = sorted(set(weights) - {0})
            parts = [f"{self.named(value)} weigh{'s' * (weights.count(value) == 1)} {value}" for value in values]
            return "; ".join(parts) + (f"; every other {self.what} weighs 0" if 0 in weights else "")
        if not drawing:
            return str(self.rule(self.named(1)) or "")
        if self.shades is not None:
            dark, light = self.shades
            return f"{dark} are drawn as `+`, {light} as `-`{_key(gaps)}{drawing}"
        if self.marks:
            rule = self.rule(f"the {self.whats} drawn as `#`")
            how = ", drawn as `#`" * bool(self.colouring)
            return f"{rule}{how}{_key([f'`o` is any other {self.what}', *gaps])}{drawing}"
        signs = ["`+` is 1", "`-` is -1"] if set(weights) <= {-1, 0, 1} else []
        return f"{self.rule('')}{_key([*signs, *gaps])}{drawing}"

    def named(self, value: int) -> str:
        """Return the names of the locations of a weight."""
        names = [
            f"`{self.fitting.location_name(at)}`" for at, weight in enumerate(self.witness.weights) if weight == value
        ]
        return f"{self.what}{'s' * (len(names) > 1)} " + str(_listed(names, 4 * MOST_NAMES))

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
        visible = [line if len(line) <= COLUMNS else line[:COLUMNS] + "..." for line in lines[:ROWS]]
        return "\n".join(["", *visible, *["..."] * (len(lines) > ROWS)])

    def pieces(self) -> Phrase | None:
        """Return the locations that each piece covers, or its weight, in any placement; the most frequent case last."""
        clause = None
        groups: dict[int, list[str]] = {}
        for lot, value in self.rows:
            groups.setdefault(self.rest(value), []).extend(
                f"`{self.fitting.piece_name(piece)}`" for piece in lot.pieces
            )
        order = sorted(groups, key=lambda value: (len(groups[value]), value == 0))
        verb = "covers" if self.marks or self.shades else "weighs"
        words = f"{'wherever it lies, ' * (self.kind == 'piece')}{{piece}} {verb} {{amount}}"
        for value in order:
            piece = _subject(groups[value], value == order[-1], len(order) > 1, self.kind)
            amount = self.does(value, value == order[0])
            if clause is None:
                clause = say(words, piece=piece, amount=amount)
            else:
                clause = say("{before}, {piece} {amount}", before=clause, piece=piece, amount=amount)
        return say("{found}{modulo}", found=clause, modulo=self.modulo()) if clause and self.modulo() else clause

    def does(self, value: int, first: bool) -> Phrase | int:
        """Return what a piece covers, or its weight."""
        if self.shades is not None:
            return _difference(value, *self.shades)
        return self.amount(value, self.noun() if first else None) if self.marks else value

    def noun(self) -> Phrase:
        """Return the name of the locations of weight 1 in notes."""
        if self.colouring is not None and self.colouring.is_shaded:
            return self.colouring.dark
        return say(self.whats if self.is_whole else f"marked {self.whats}")

    def left_empty(self) -> Phrase | None:
        """Return a note about the locations that stay empty, if their number is given."""
        if self.empty is None:
            return None
        lot, value = self.empty
        words = "each of the {n} {cells} that stay empty" if lot.copies != 1 else "the {cell} that stays empty"
        of = "is one of the {noun}" if value else "is not one of the {noun}"
        verb = of if self.marks else "weighs {value}"
        return say(
            f"{words} {verb}", n=lot.copies or 0, cells=self.whats, cell=self.what, value=value, noun=self.noun()
        )

    def volume(self) -> Phrase | None:
        """Return how many copies the volume requires, if the puzzle does not give their number."""
        for lot, value in self.rows:
            pieces = [self.fitting.pieces[piece] for piece in lot.pieces]
            if lot.copies is not None and value and any(piece.low < piece.high for piece in pieces):
                names = _listed([f"`{self.fitting.piece_name(piece)}`" for piece in lot.pieces], MOST_NAMES)
                if self.kind != "piece":
                    which = f" with {names}" if self.kind == "item" else ""
                    return say(f"to cover all items, it takes {counted(lot.copies, 'option')}{which}")
                copies = "copy" if lot.copies == 1 else "copies"
                return say(f"to fill the board, it takes {{n}} {copies} of {{names}}", n=lot.copies, names=names)
        return None

    def sum(self) -> Phrase | None:
        """Return the total of all pieces."""
        copies: dict[int, int] = {}
        for lot, value in self.rows:
            copies[self.rest(value)] = copies.get(self.rest(value), 0) + (lot.copies or 0)
        terms = [f"{number} x {value}" for value, number in sorted(copies.items()) if value and number]
        if self.modulus == 2:
            odd = copies.get(1, 0)
            amount = self.amount(odd)
            if odd < 2:
                return say("together they cover {amount}", amount=amount)
            words = f"{{n}} {self.noun_of_pieces}s cover an odd number each, so together they cover {{amount}}"
            return say(words, n=odd, amount=amount)
        if not terms or terms == ["1 x 1"]:
            return None
        total = say("together: {sum}", sum=f"{' + '.join(terms)} = {self.together}")
        rest = self.rest(self.together)
        if rest == self.together:
            return total
        return say("{total}, which is {rest} modulo {modulus}", total=total, rest=rest, modulus=self.modulus)


def _key(signs: Sequence[str]) -> str:
    """Return the meanings of characters in a drawing, in brackets."""
    return f" ({', '.join(signs)})" if signs else ""


def _difference(number: int, dark: Phrase, light: Phrase) -> Phrase:
    """Return how many more dark cells than light ones there are."""
    if number == 0:
        return say("as many {cells} as {others}", cells=dark, others=_ones(light))
    more, less = (dark, light) if number > 0 else (light, dark)
    return say("{n} more {cells} than {others}", n=abs(number), cells=_of_them(abs(number), more), others=_ones(less))


def _ones(noun: Phrase) -> Phrase:
    """Return a noun for its second use in a sentence: "light ones" after "dark cells"."""
    return Phrase(noun.text.removesuffix(" cells") + " ones", noun.values) if noun.text.endswith(" cells") else noun


def _of_them(number: int, noun: Phrase) -> Phrase:
    """Return a noun in singular or plural: one cell with x even, two cells with x even."""
    one = noun.text.replace("cells", "cell").replace("locations", "location").replace("items", "item")
    return Phrase(one, noun.values) if number == 1 else noun


def _number(number: int, noun: Phrase) -> Phrase:
    """Return a number with its noun."""
    return say("{n} {cells}", n=number, cells=noun)


def _signs(weights: Iterable[int]) -> dict[int, str]:
    """Return characters for weights: `#` and `o` for 1 and 0, `+`, `-` and `0` for signs, else the numbers."""
    values = set(weights)
    if values <= {0, 1}:
        return {0: "o", 1: "#"}
    if values <= {-1, 0, 1}:
        return {-1: "-", 0: "0", 1: "+"}
    width = max(len(str(value)) for value in values)
    return {value: str(value).rjust(width + (width > 1)) for value in values}


def _subject(names: Sequence[str], last: bool, several: bool, kind: str = "piece") -> Phrase:
    """Return the subject for some pieces; the last group of several is "each other piece"."""
    noun = "piece" if kind == "piece" else "option"
    if last and (several or kind != "piece") and (len(names) > 1 or not several):
        return say(f"each other {noun}" if several else f"each {noun}")
    listed = _listed(names, MOST_NAMES)
    if kind == "item":
        return say(f"each option with {'one of ' * (len(names) > 1)}{{names}}", names=listed)
    if len(names) == 1:
        return say(f"{noun} {{names}}", names=listed)
    if last:
        return say(f"each {noun}")
    return say(f"each of the {noun}s {{names}}", names=listed)


def _listed(names: Sequence[str], most: int) -> Phrase:
    """Return names in a list; of very many, only the first.

    >>> str(_listed(["a", "b", "c"], 6)), str(_listed(["a", "b", "c"], 1))
    ('a, b and c', 'a and 2 others')
    """
    if len(names) > most + 1:
        return say("{names} and {n} others", names=", ".join(names[:most]), n=len(names) - most)
    *first, last = names
    return say("{names} and {last}", names=", ".join(first), last=last) if first else say("{names}", names=last)
