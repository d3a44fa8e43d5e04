"""An exact cover in the format of the pseudo-Boolean competitions, whose solutions are the covers, one to one.

The format has only ``=`` and ``>=``, and variables of ``x`` and a number; see
http://www.cril.univ-artois.fr/PB24/OPBgeneral.pdf. Variable ``x1`` is true if the first option is chosen, and so on.
The variables after the options are functions of them. Comments give the meaning of each, and the item of each
constraint.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain

from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import Format, Sign, WriterChoices, gathered
from puzzlec.formats.solvers.linear import Constraint, auxiliaries, constraints, in_one_line
from puzzlec.lower.labels import Labelled

#: Number of terms that are written at a time.
_TERMS_IN_CHUNK = 4096


def write_opb(what: Labelled, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001 - nothing can be chosen here
    """Yield the pseudo-Boolean constraints of an exact cover, in chunks."""
    cover, items = what.cover, what.items
    variables, number = _figures(cover)
    # This line has nothing else, because some programs do not read further figures there.
    yield f"* #variable= {variables} #constraint= {number}\n"
    yield from gathered(_comments(what))
    yield from gathered(_objective(cover))
    yield from gathered(_lines(cover, items))


def _figures(cover: ExactCover) -> tuple[int, int]:
    """Return the number of variables and the number of constraints."""
    variables, number = len(cover), 0
    for constraint in constraints(cover):
        number += (
            1 if constraint.low == constraint.high else (constraint.low is not None) + (constraint.high is not None)
        )
        variables = max(variables, *constraint.plus[-1:], *constraint.minus[-1:], 1)
    return variables, number


def _comments(what: Labelled) -> Iterator[str]:
    """Yield the title and the meaning of each variable."""
    yield f"* title {in_one_line(what.title)}\n" if what.title else ""
    for variable, label in enumerate(what.labels(), 1):
        yield f"* x{variable} = {label}\n"
    for variable, item, colour in auxiliaries(what.cover):
        yield f"* x{variable} = colour {in_one_line(what.cover.colour_name(colour))} of {what.items[item]}\n"


def _objective(cover: ExactCover) -> Iterator[str]:
    """Yield the line of the sum to be minimised, if options have costs."""
    if len(cover.costs):
        yield "min: "
        none = (1 for _ in range(not any(cover.costs)))  # the format requires a term in each sum
        for variable in chain(none, (option for option, cost in enumerate(cover.costs, 1) if cost)):
            yield f"{cover.costs[variable - 1]:+} x{variable} "
        yield ";\n"


def _lines(cover: ExactCover, items: Sequence[str]) -> Iterator[str]:
    """Yield the constraints, those of an item, or of one of its colours, after a comment that names it."""
    heading: tuple[int, int] | None = None
    for constraint in constraints(cover):
        if heading != (constraint.item, constraint.colour):
            heading = constraint.item, constraint.colour
            colour = f", colour {in_one_line(cover.colour_name(constraint.colour))}" if constraint.colour else ""
            yield f"* item {items[constraint.item]}{colour}\n"
        yield from _constraint(constraint)


def _constraint(constraint: Constraint) -> Iterator[str]:
    """Yield a constraint: a line for each bound, one for an equation."""
    _, _, plus, minus, low, high = constraint
    if not plus and not minus:
        # A sum must have a term. This sum is at most 1, so it is never large enough.
        plus, low = array("i", [1]), max(low or 0, 2)
    if low is not None:
        yield from _sum("+1 x", plus)
        yield from _sum("-1 x", minus)
        yield f"= {low} ;\n" if low == high else f">= {low} ;\n"
    if high is not None and high != low:
        yield from _sum("-1 x", plus)
        yield from _sum("+1 x", minus)
        yield f">= {-high} ;\n"


def _sum(term: str, variables: array[int]) -> Iterator[str]:
    """Yield the terms of some variables, with a space after each."""
    between = f" {term}"
    for start in range(0, len(variables), _TERMS_IN_CHUNK):
        yield f"{term}{between.join(map(str, variables[start : start + _TERMS_IN_CHUNK]))} "


FORMAT = Format(
    "opb",
    (".opb",),
    "pseudo-Boolean constraints",
    stage="cover",
    write=write_opb,
    recognise=(Sign(330, r"\s*+(?:\* #variable=)"),),
    aliases=("pb", "wbo", "pseudo-boolean"),
    place=320,
    traits=("costs",),
    answers=("pb",),
)
