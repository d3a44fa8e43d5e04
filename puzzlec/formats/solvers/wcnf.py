"""An exact cover with costs as WCNF, for MaxSAT solvers: hard clauses, and a soft clause for the cost of each option.

The form is that of the MaxSAT Evaluations since 2022, https://maxsat-evaluations.github.io/2022/rules.html: ``h``
begins a hard clause, and a weight a soft one. The variables and the hard clauses are those of :mod:`.cnf`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import Format, Sign, WriterChoices, gathered
from puzzlec.formats.solvers.cnf import clauses_of_items, comments, numbered
from puzzlec.lower.labels import Labelled


def write_wcnf(what: Labelled, choices: WriterChoices) -> Iterator[str]:
    """Yield the WCNF of an exact cover, in chunks.

    An option with a cost c above 0 has the soft clause "not this option" with the weight c. One with a cost below 0 has
    the soft clause "this option" with the weight -c. So the cost of a cover is the weight of the clauses that it breaks
    plus the sum of the negative costs, which a comment states. Raises PuzzleError if there are too many variables or
    clauses for solvers.
    """
    variables, clauses = numbered(what, choices.at_most_one)
    yield from gathered(comments(what, variables, clauses))
    if offset := sum(cost for cost in what.cover.costs if cost < 0):
        yield f"c offset {offset}: add it to the weight of the broken clauses for the cost\n"
    yield from _hard(gathered(clauses_of_items(what.cover, variables, choices.at_most_one)))
    yield from gathered(_soft(what.cover))


def _hard(chunks: Iterable[str]) -> Iterator[str]:
    """Yield clauses with an ``h`` before each."""
    begins = True
    for chunk in filter(None, chunks):
        ends = chunk.endswith("\n")
        text = "h " * begins + chunk.replace("\n", "\nh ")
        yield text[:-2] if ends else text
        begins = ends


def _soft(cover: ExactCover) -> Iterator[str]:
    """Yield the clauses of costs."""
    for variable, cost in enumerate(cover.costs, 1):
        if cost:
            yield f"{abs(cost)} {-variable if cost > 0 else variable} 0\n"


FORMAT = Format(
    "wcnf",
    (".wcnf",),
    "weighted CNF, for MaxSAT solvers",
    stage="cover",
    write=write_wcnf,
    recognise=(Sign(311, r"\s*+(?:(?:c(?:[ \t][^\n]*+)?+\n\s*+)*+(?:p wcnf |h -?[0-9]))"),),
    aliases=("maxsat",),
    place=316,
    traits=("costs",),
    answers=("sat",),
)
