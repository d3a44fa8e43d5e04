"""Bounds on the number of true literals as clauses of DIMACS CNF, streamed; and how many there will be, beforehand.

"At most one" is said pairwise, or by the sequential counter of C. Sinz, "Towards an optimal CNF encoding of Boolean
cardinality constraints", CP 2005, https://doi.org/10.1007/11564751_73, and other bounds by his counter with registers.
There a new variable is only implied by what it counts; here it is equivalent to it, which costs some clauses more and
makes the models as many as without it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

#: So many literals are made text at a time.
_STEP = 4096


class Size(NamedTuple):
    """How many new variables and clauses something takes."""

    variables: int
    clauses: int

    def __add__(self, other: object) -> Size:
        assert isinstance(other, Size)
        return Size(self.variables + other.variables, self.clauses + other.clauses)


def size_of_bounds(number: int, low: int, high: int, form: str) -> Size:
    """Return what :func:`bounds` takes for so many literals."""
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
    """Give clauses that say that ``low`` .. ``high`` of some literals are true; new variables begin at ``fresh``.

    ``form`` is how "at most one" is said: "auto", "pairwise" or "sequential".
    """
    number = len(literals)
    if low > number:
        yield "0\n"
        return
    high = min(high, number)
    if _columns(number, number - high, number - low) < _columns(number, low, high):
        # The false ones are counted, since that takes fewer registers.
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
    """Give the clause of some literals, behind those of ``head``."""
    yield head
    for start in range(0, len(literals), _STEP):
        yield " ".join(map(str, literals[start : start + _STEP])) + " "
    yield "0\n"


def size_of_at_most_one(number: int, form: str) -> Size:
    """Return what :func:`at_most_one` takes for so many literals."""
    if number < 2:
        return Size(0, 0)
    if _is_pairwise(number, form):
        return Size(0, number * (number - 1) // 2)
    return Size(number - 2, 4 * number - 7)


def at_most_one(literals: Sequence[int], fresh: int, form: str) -> Iterator[str]:
    """Give clauses that say that at most one of some literals is true; new variables begin at ``fresh``."""
    if _is_pairwise(len(literals), form):
        yield from not_both([[literal] for literal in literals])
    elif len(literals) > 1:
        yield from _sequential(literals, fresh)


def pairs(groups: Sequence[Sequence[int]]) -> int:
    """Return how many clauses :func:`not_both` gives."""
    total = sum(map(len, groups))
    return (total * total - sum(len(group) ** 2 for group in groups)) // 2


def not_both(groups: Sequence[Sequence[int]]) -> Iterator[str]:
    """Give clauses that say that no two literals of different groups are both true."""
    texts = [str(-literal) for group in groups for literal in group]
    begin = 0
    for group in groups:
        end = begin + len(group)
        for one in range(begin, end):
            head = texts[one]
            for start in range(end, len(texts), _STEP):
                yield "".join([f"{head} {other} 0\n" for other in texts[start : start + _STEP]])
        begin = end


def equivalent(variable: int, literals: Sequence[int]) -> Iterator[str]:
    """Give clauses that say that a variable is true just where one of some literals is: one for each, and one."""
    yield from clause(literals, f"-{variable} ")
    for literal in literals:
        yield f"{-literal} {variable} 0\n"


def _is_pairwise(number: int, form: str) -> bool:
    """Whether "at most one" of so many is said pairwise: for "auto", where that takes no more clauses."""
    return form == "pairwise" or (form == "auto" and number <= 7)


def _columns(number: int, low: int, high: int) -> int:
    """Return how far must be counted: to the upper bound, or to the lower one where there is no upper one."""
    return high if high < number else low


def _sequential(literals: Sequence[int], fresh: int) -> Iterator[str]:
    """Give the clauses of the sequential counter: new variable ``s`` says that a literal up to its own is true.

    For the first literal that is the literal itself, and for the last one nobody asks.
    """
    before, not_before = str(literals[0]), str(-literals[0])
    last = len(literals) - 1
    for start in range(1, last, _STEP):
        parts = []
        for now, literal in enumerate(literals[start : min(start + _STEP, last)], fresh + start - 1):
            own = -literal
            parts.append(f"{own} {not_before} 0\n{own} {now} 0\n{not_before} {now} 0\n-{now} {before} {literal} 0\n")
            before, not_before = str(now), f"-{now}"
        yield "".join(parts)
    yield f"{-literals[last]} {not_before} 0\n"


def _registers(literals: Sequence[int], low: int, high: int, columns: int, fresh: int) -> Iterator[str]:
    """Give the clauses of a counter: register ``k`` of a row says that ``k`` literals up to its own are true."""
    number = len(literals)
    before = [literals[0]]
    for row, literal in enumerate(islice(literals, 1, number - 1), 2):
        now = list(range(fresh, fresh + min(row, columns)))
        fresh += len(now)
        parts = []
        if row > high:
            parts.append(f"{-literal} -{before[high - 1]} 0\n")
        for column, register in enumerate(now):
            # It grows from the register above it, and from the one above on the left where the literal is true.
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
