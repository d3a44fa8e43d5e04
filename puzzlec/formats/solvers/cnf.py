"""An exact cover as DIMACS CNF, whose models are the covers, one to one.

Variable ``v`` of 1 .. number of options says whether option ``v - 1`` is chosen; all others are functions of these. The
comments, all of them before the ``p cnf`` line, tell what each option means and which clauses belong to which item.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice

from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import Span
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.chunks import gathered
from puzzlec.formats.record import Format, Sign
from puzzlec.formats.solvers.clauses import (
    Size,
    at_most_one,
    bounds,
    equivalent,
    not_both,
    pairs,
    size_of_at_most_one,
    size_of_bounds,
)
from puzzlec.formats.solvers.filling import in_one_line
from puzzlec.formats.solvers.linear import Uses, groups, uses_of_items
from puzzlec.formats.write_options import Choices
from puzzlec.lower.labels import Labelled

#: Solvers keep the numbers of variables and clauses in 32 bits.
MOST = 2**31 - 1

#: So many variables stand in a line of those that a model counter shall look at.
_SHOWN = 1000


def write_cnf(what: Labelled, choices: Choices) -> Iterator[str]:
    """Give the DIMACS CNF of an exact cover, in chunks.

    ``choices.at_most_one`` says how "at most one of these options" is said: "pairwise", "sequential", or "auto", which
    takes what has fewer clauses. Raises PuzzleError where there would be more variables or clauses than solvers count.
    """
    cover, form = what.cover, choices.at_most_one
    variables, clauses = array("q", [len(cover)]), array("q", [0])
    for uses in uses_of_items(cover):
        size = _size(cover, uses, form)
        variables.append(variables[-1] + size.variables)
        clauses.append(clauses[-1] + size.clauses)
        _verify(what, uses, form, max(variables[-1], clauses[-1]))
    yield from gathered(_comments(what, variables, clauses))
    yield f"p cnf {variables[-1]} {clauses[-1]}\n"
    yield from gathered(_clauses(cover, variables, form))


def _verify(what: Labelled, uses: Uses, form: str, most: int) -> None:
    """Raise PuzzleError where there are more variables or clauses, up to those of an item, than solvers count."""
    if most <= MOST:
        return
    counted = uses.item < what.cover.primary and what.cover.high[uses.item] > 1
    raise fail(
        "PZ503",
        f"the clauses are too many: up to those for `{what.items[uses.item]}` there are {most}",
        _span(what, uses.item),
        note=f"{len(uses.variables)} options have this item; solvers count {MOST} variables and clauses at most",
        help="convert to `opb`, which says in one line how many of them there are"
        if counted or form != "pairwise"
        else "convert with `--at-most-one sequential`",
        file=what.title,
    )


def _span(what: Labelled, item: int) -> Span | None:
    """Return where a text speaks of an item: of its piece, or of the puzzle."""
    if what.encoding is None:
        return None
    fitting = what.encoding.fitting
    if item in what.encoding.item_of_piece:
        return fitting.pieces[what.encoding.item_of_piece.index(item)].span
    return fitting.puzzle.span if fitting.puzzle else None


def _comments(what: Labelled, variables: array[int], clauses: array[int]) -> Iterator[str]:
    """Give the title, the meaning of each variable, and of each item which clauses and variables are its own."""
    yield f"c title {in_one_line(what.title)}\n" if what.title else ""
    for variable, label in enumerate(what.labels(), 1):
        yield f"c x {variable} = {label}\n"
    for item, label in enumerate(what.items):
        first, last = clauses[item] + 1, clauses[item + 1]
        own = f"clauses {first}..{last}" if first <= last else "no clauses"
        first, last = variables[item] + 1, variables[item + 1]
        yield f"c item {label}: {own}" + (f", variables {first}..{last}\n" if first <= last else "\n")
    yield from _marks(what, variables)
    if variables[-1] > variables[0]:
        numbers = iter(range(1, variables[0] + 1))
        while shown := list(islice(numbers, _SHOWN)):
            yield f"c p show {' '.join(map(str, shown))} 0\n"


def _marks(what: Labelled, variables: array[int]) -> Iterator[str]:
    """Give, of each item that has variables for its colours, which one says that it has which colour."""
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


def _clauses(cover: ExactCover, variables: array[int], form: str) -> Iterator[str]:
    """Give the clauses of all items; new variables of an item are numbered from behind ``variables[item]``."""
    for uses in uses_of_items(cover):
        item, fresh = uses.item, variables[uses.item] + 1
        if item < cover.primary:
            yield from bounds(uses.variables, cover.low[item], cover.high[item], fresh, form)
        elif uses.colours:
            yield from _coloured(uses, fresh, form)
        else:
            yield from at_most_one(uses.variables, fresh, form)


def _size(cover: ExactCover, uses: Uses, form: str) -> Size:
    """Return how many new variables and clauses an item takes."""
    item, number = uses.item, len(uses.variables)
    if item < cover.primary:
        return size_of_bounds(number, cover.low[item], cover.high[item], form)
    if uses.colours:
        direct, by_colours = _sizes_of_coloured(_groups(uses), form)
        return min(direct, by_colours, key=lambda size: size.clauses)
    return size_of_at_most_one(number, form)


def _coloured(uses: Uses, fresh: int, form: str) -> Iterator[str]:
    """Give the clauses of an item with colours: no two options of different ones, or a variable for each colour.

    A colour that one option alone gives, and an option without a colour, are told by the variable of the option.
    """
    found = _groups(uses)
    direct, by_colours = _sizes_of_coloured(found, form)
    if direct.clauses <= by_colours.clauses:
        yield from not_both(found)
        return
    marks = array("i")
    for members in found:
        if len(members) == 1:
            marks.append(members[0])
            continue
        yield from equivalent(fresh, members)
        marks.append(fresh)
        fresh += 1
    yield from at_most_one(marks, fresh, form)


def _groups(uses: Uses) -> list[array[int]]:
    """Return the variables of an item's options in groups, no two of which go together."""
    alone, classes = groups(uses.variables, uses.colours)
    return [array("i", [variable]) for variable in alone] + [members for _, members in classes]


def _sizes_of_coloured(found: list[array[int]], form: str) -> tuple[Size, Size]:
    """Return what an item with such groups of options takes without and with a variable for each colour."""
    several = [len(members) for members in found if len(members) > 1]
    variables = Size(len(several), sum(several) + len(several))
    return Size(0, pairs(found)), variables + size_of_at_most_one(len(found), form)


FORMAT = Format(
    "cnf",
    (".cnf",),
    "DIMACS CNF, for SAT solvers",
    level="cover",
    write=write_cnf,
    recognise=(Sign(310, r"\s*+(?:(?:c(?:[ \t][^\n]*+)?+\n\s*+)*+p w?cnf )"),),
    aliases=("sat", "dimacs", "clauses", "maxsat"),
    place=310,
    answers=("sat",),
)
