"""An exact cover as DIMACS CNF, whose models are the covers, one to one.

Variables are numbered from 1, options from 0: variable ``v`` is true if option ``v - 1`` is chosen. All further
variables are functions of these. The comments, all before the ``p cnf`` line, give the meaning of each option and the
clauses of each item.

"At most one" is encoded pairwise, or by the sequential counter of C. Sinz, "Towards an optimal CNF encoding of Boolean
cardinality constraints", CP 2005, https://doi.org/10.1007/11564751_73. Other bounds use his counter with registers. In
the paper the literals only imply a new variable. Here it is equivalent, which costs some clauses and keeps the number
of models.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import Span
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import Format, Sign, WriterChoices, gathered
from puzzlec.formats.solvers.linear import ItemUses, groups, in_one_line, uses_of_items
from puzzlec.lower.labels import Labelled

#: Number of literals that are written at a time.
_LITERALS_IN_CHUNK = 4096


class Size(NamedTuple):
    """Numbers of new variables and clauses."""

    variables: int
    clauses: int

    def __add__(self, other: object) -> Size:
        assert isinstance(other, Size)
        return Size(self.variables + other.variables, self.clauses + other.clauses)


def size_of_bounds(number: int, low: int, high: int, form: str) -> Size:
    """Return the size of :func:`bounds` for this many literals."""
    if low > number:
        return Size(0, 1)
    high = min(high, number)
    if _columns(number, number - high, number - low) < _columns(number, low, high):
        low, high = number - high, number - low
    columns = _columns(number, low, high)
    if columns == 0:
        return Size(0, number if high == 0 else 0)
    if columns == 1:
        return (size_of_at_most_one(number, form) if high == 1 else Size(0, 0)) + Size(0, low)
    registers = columns * (columns + 1) // 2 - 1 + (number - 1 - columns) * columns
    inner = 4 * registers - (number - 2) - (columns - 1)  # one less in the first column, and on the diagonal
    return Size(registers, inner + (number - high) + (low > 0) + (low > 1))


def bounds(literals: Sequence[int], low: int, high: int, fresh: int, form: str) -> Iterator[str]:
    """Yield the clauses that hold exactly if ``low`` .. ``high`` literals are true; new variables begin at ``fresh``.

    ``form`` is the encoding of "at most one": "auto", "pairwise" or "sequential".
    """
    number = len(literals)
    if low > number:
        yield "0\n"
        return
    high = min(high, number)
    if _columns(number, number - high, number - low) < _columns(number, low, high):
        # The false ones are counted, because that needs fewer registers.
        literals = array("i", [-literal for literal in literals])
        low, high = number - high, number - low
    columns = _columns(number, low, high)
    if columns == 0:
        if high == 0:
            yield from (f"{-literal} 0\n" for literal in literals)
    elif columns == 1:
        if low:
            yield from clause(literals)
        if high == 1:
            yield from at_most_one(literals, fresh, form)
    else:
        yield from _registers(literals, low, high, columns, fresh)


def clause(literals: Sequence[int], head: str = "") -> Iterator[str]:
    """Yield the clause of some literals, after those of ``head``."""
    yield head
    for start in range(0, len(literals), _LITERALS_IN_CHUNK):
        yield " ".join(map(str, literals[start : start + _LITERALS_IN_CHUNK])) + " "
    yield "0\n"


def size_of_at_most_one(number: int, form: str) -> Size:
    """Return the size of :func:`at_most_one` for this many literals."""
    if number < 2:
        return Size(0, 0)
    if _is_pairwise(number, form):
        return Size(0, number * (number - 1) // 2)
    return Size(number - 2, 4 * number - 7)


def at_most_one(literals: Sequence[int], fresh: int, form: str) -> Iterator[str]:
    """Yield the clauses that hold exactly if at most one of the given literals is true.

    New variables begin at ``fresh``.
    """
    if _is_pairwise(len(literals), form):
        yield from not_both([[literal] for literal in literals])
    elif len(literals) > 1:
        yield from _sequential(literals, fresh)


def pairs(groups: Sequence[Sequence[int]]) -> int:
    """Return the number of clauses of :func:`not_both`."""
    total = sum(map(len, groups))
    return (total * total - sum(len(group) ** 2 for group in groups)) // 2


def not_both(groups: Sequence[Sequence[int]]) -> Iterator[str]:
    """Yield the clauses that hold exactly if no two literals of different groups are both true."""
    texts = [str(-literal) for group in groups for literal in group]
    begin = 0
    for group in groups:
        end = begin + len(group)
        for first in range(begin, end):
            head = texts[first]
            for start in range(end, len(texts), _LITERALS_IN_CHUNK):
                yield "".join([f"{head} {other} 0\n" for other in texts[start : start + _LITERALS_IN_CHUNK]])
        begin = end


def equivalent(variable: int, literals: Sequence[int]) -> Iterator[str]:
    """Yield the clauses that make a variable true exactly if some literal is: one for each literal, and one more."""
    yield from clause(literals, f"-{variable} ")
    for literal in literals:
        yield f"{-literal} {variable} 0\n"


def _is_pairwise(number: int, form: str) -> bool:
    """Whether "at most one" of this many is encoded pairwise: for "auto", if that needs no more clauses."""
    return form == "pairwise" or (form == "auto" and number <= 7)


def _columns(number: int, low: int, high: int) -> int:
    """Return the limit of counting: the upper bound, or the lower bound if there is no upper one."""
    return high if high < number else low


def _sequential(literals: Sequence[int], fresh: int) -> Iterator[str]:
    """Yield the clauses of the sequential counter: new variable ``s`` is true if a literal up to its own is true.

    The first literal replaces its new variable, and the last literal needs no new variable.
    """
    before, not_before = str(literals[0]), str(-literals[0])
    last = len(literals) - 1
    for start in range(1, last, _LITERALS_IN_CHUNK):
        parts = []
        for now, literal in enumerate(literals[start : min(start + _LITERALS_IN_CHUNK, last)], fresh + start - 1):
            negated = -literal
            parts.append(
                f"{negated} {not_before} 0\n{negated} {now} 0\n{not_before} {now} 0\n-{now} {before} {literal} 0\n"
            )
            before, not_before = str(now), f"-{now}"
        yield "".join(parts)
    yield f"{-literals[last]} {not_before} 0\n"


def _registers(literals: Sequence[int], low: int, high: int, columns: int, fresh: int) -> Iterator[str]:
    """Yield the clauses of a counter: register ``k`` of a row is true if ``k`` literals up to its own are true."""
    number = len(literals)
    before = [literals[0]]
    for row, literal in enumerate(islice(literals, 1, number - 1), 2):
        now = list(range(fresh, fresh + min(row, columns)))
        fresh += len(now)
        parts = []
        if row > high:
            parts.append(f"{-literal} -{before[high - 1]} 0\n")
        for column, register in enumerate(now):
            # It follows from the register above it. If the literal is true, it also follows from the register above on
            # the left.
            if column < len(before):
                above = before[column]
                parts.append(f"{-above} {register} 0\n-{register} {above} {literal} 0\n")
            else:
                parts.append(f"-{register} {literal} 0\n")
            if column:
                left = before[column - 1]
                parts.append(f"{-literal} {-left} {register} 0\n-{register} {left} 0\n")
            else:
                parts.append(f"{-literal} {register} 0\n")
        yield "".join(parts)
        before = now
    literal = literals[-1]
    if high < number:
        yield f"{-literal} -{before[high - 1]} 0\n"
    if low:
        yield f"{before[low - 1]} {literal} 0\n"
    if low > 1:
        yield f"{before[low - 2]} 0\n"


#: Solvers store the numbers of variables and clauses in 32 bits.
MAX_INT32 = 2**31 - 1

#: Variables on each line of the list of variables that a model counter projects to.
_VARIABLES_ON_LINE = 1000


def write_cnf(what: Labelled, choices: WriterChoices) -> Iterator[str]:
    """Yield the DIMACS CNF of an exact cover, in chunks.

    ``choices.at_most_one`` is the encoding of "at most one of these options": "pairwise", "sequential", or "auto",
    which chooses the one with fewer clauses. Raises PuzzleError if there are too many variables or clauses for solvers.
    """
    variables, clauses = numbered(what, choices.at_most_one)
    yield from gathered(comments(what, variables, clauses))
    yield f"p cnf {variables[-1]} {clauses[-1]}\n"
    yield from gathered(clauses_of_items(what.cover, variables, choices.at_most_one))


def numbered(what: Labelled, form: str) -> tuple[array[int], array[int]]:
    """Return how many variables and clauses there are up to the first item, the second one, and so on.

    Raises PuzzleError for more than solvers count.
    """
    variables, clauses = array("q", [len(what.cover)]), array("q", [0])
    for uses in uses_of_items(what.cover):
        size = _size(what.cover, uses, form)
        variables.append(variables[-1] + size.variables)
        clauses.append(clauses[-1] + size.clauses)
        _verify(what, uses, form, max(variables[-1], clauses[-1]))
    return variables, clauses


def _verify(what: Labelled, uses: ItemUses, form: str, most: int) -> None:
    """Raise PuzzleError if the variables or clauses, including those of this item, are too many for solvers."""
    if most <= MAX_INT32:
        return
    counted = uses.item < what.cover.primary and what.cover.high[uses.item] > 1
    raise fail(
        "PZ503",
        f"too many clauses: {most} up to those for `{what.items[uses.item]}`",
        _span(what, uses.item),
        note=f"{len(uses.variables)} options have this item; solvers count at most {MAX_INT32} variables and clauses",
        help="convert to `opb`, which needs one line for each item"
        if counted or form != "pairwise"
        else "convert with `--at-most-one sequential`",
        file=what.title,
    )


def _span(what: Labelled, item: int) -> Span | None:
    """Return the position of an item in a text: of its piece, or of the puzzle."""
    if what.encoding is None:
        return None
    fitting = what.encoding.fitting
    if item in what.encoding.item_of_piece:
        return fitting.pieces[what.encoding.item_of_piece.index(item)].span
    return fitting.puzzle.span if fitting.puzzle else None


def comments(what: Labelled, variables: array[int], clauses: array[int]) -> Iterator[str]:
    """Yield the title, the meaning of each variable, and the clauses and variables of each item."""
    yield f"c title {in_one_line(what.title)}\n" if what.title else ""
    for variable, label in enumerate(what.labels(), 1):
        yield f"c x {variable} = {label}\n"
    for item, label in enumerate(what.items):
        first, last = clauses[item] + 1, clauses[item + 1]
        clause_range = f"clauses {first}..{last}" if first <= last else "no clauses"
        first, last = variables[item] + 1, variables[item + 1]
        yield f"c item {label}: {clause_range}" + (f", variables {first}..{last}\n" if first <= last else "\n")
    yield from _marks(what, variables)
    if variables[-1] > variables[0]:
        numbers = iter(range(1, variables[0] + 1))
        while projection := list(islice(numbers, _VARIABLES_ON_LINE)):
            yield f"c p show {' '.join(map(str, projection))} 0\n"


def _marks(what: Labelled, variables: array[int]) -> Iterator[str]:
    """Yield the variable of each colour, for each item with variables for its colours."""
    cover = what.cover
    for uses in uses_of_items(cover) if any(cover.colours) else ():
        fresh = variables[uses.item] + 1
        if uses.item < cover.primary or fresh > variables[uses.item + 1]:
            continue
        for colour, members in groups(uses.variables, uses.colours)[1]:
            if len(members) > 1:
                name = in_one_line(cover.colour_name(colour))
                yield f"c colour {name} of {what.items[uses.item]}: variable {fresh}\n"
                fresh += 1


def clauses_of_items(cover: ExactCover, variables: array[int], form: str) -> Iterator[str]:
    """Yield the clauses of all items; new variables of an item are numbered from ``variables[item] + 1``."""
    for uses in uses_of_items(cover):
        item, fresh = uses.item, variables[uses.item] + 1
        if item < cover.primary:
            yield from bounds(uses.variables, cover.low[item], cover.high[item], fresh, form)
        elif uses.colours:
            yield from _coloured(uses, fresh, form)
        else:
            yield from at_most_one(uses.variables, fresh, form)


def _size(cover: ExactCover, uses: ItemUses, form: str) -> Size:
    """Return the numbers of new variables and clauses of an item."""
    item, number = uses.item, len(uses.variables)
    if item < cover.primary:
        return size_of_bounds(number, cover.low[item], cover.high[item], form)
    if uses.colours:
        direct, by_colours = _sizes_of_coloured(_groups(uses), form)
        return min(direct, by_colours, key=lambda size: size.clauses)
    return size_of_at_most_one(number, form)


def _coloured(uses: ItemUses, fresh: int, form: str) -> Iterator[str]:
    """Yield the clauses of an item with colours, which exclude options of different colours.

    They exclude pairs of such options, or need a variable for each colour: the form with fewer clauses is chosen. An
    option without a colour, or with a colour that no other option has, needs no new variable.
    """
    classes = _groups(uses)
    direct, by_colours = _sizes_of_coloured(classes, form)
    if direct.clauses <= by_colours.clauses:
        yield from not_both(classes)
        return
    marks = array("i")
    for members in classes:
        if len(members) == 1:
            marks.append(members[0])
            continue
        yield from equivalent(fresh, members)
        marks.append(fresh)
        fresh += 1
    yield from at_most_one(marks, fresh, form)


def _groups(uses: ItemUses) -> list[array[int]]:
    """Return the variables of an item's options in groups that exclude each other."""
    alone, classes = groups(uses.variables, uses.colours)
    return [array("i", [variable]) for variable in alone] + [members for _, members in classes]


def _sizes_of_coloured(classes: list[array[int]], form: str) -> tuple[Size, Size]:
    """Return the sizes of an item with such groups of options, without and with a variable for each colour."""
    several = [len(members) for members in classes if len(members) > 1]
    variables = Size(len(several), sum(several) + len(several))
    return Size(0, pairs(classes)), variables + size_of_at_most_one(len(classes), form)


FORMAT = Format(
    "cnf",
    (".cnf",),
    "DIMACS CNF, for SAT solvers",
    stage="cover",
    write=write_cnf,
    recognise=(Sign(310, r"\s*+(?:(?:c(?:[ \t][^\n]*+)?+\n\s*+)*+p cnf )"),),
    aliases=("sat", "dimacs", "clauses"),
    place=310,
    answers=("sat",),
)
