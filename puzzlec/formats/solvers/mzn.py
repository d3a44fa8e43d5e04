"""An exact cover as a model of MiniZinc (https://docs.minizinc.dev): constraints over an array of Booleans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from puzzlec.formats.record import Format, Sign, WriterChoices, gathered
from puzzlec.formats.solvers.linear import Use, enclosed, filled, in_one_line, uses
from puzzlec.lower.labels import Labelled, words


def write_mzn(what: Labelled, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the text of a model of MiniZinc 2.3 or later, which includes its data.

    ``x[o]`` is true if option o is used, numbered from 1; ``words[o]`` is its meaning. Each item is a constraint with
    its name. Options that give an item the same colour together cover it once. The output is a line for each option
    used. If options have costs, ``costs[o]`` is that of option o, and their sum is minimised. The same cover
    gives the same text.
    """
    return gathered(f"{line}\n" for line in _lines(what))


def _lines(what: Labelled) -> Iterator[str]:
    cover = what.cover
    # In FlatZinc, the target of MiniZinc, names of constraints cannot contain quotation marks.
    names = list(words(what.items, r'["\\]', "'"))
    if title := in_one_line(what.title):
        yield f"% {title}"
    yield "% Which options cover each item as often as they must? Option o is used where x[o] is true."
    yield f"int: options = {len(cover)};"
    yield "array[1..options] of string: words = ["
    yield from (f"  {quoted(label)}," for label in what.labels())
    yield "];"
    if cover.costs:
        yield from filled(enclosed(map(str, cover.costs), "array[1..options] of int: costs = [", "];", ","))
    yield "array[1..options] of var bool: x;"
    yield ""
    for use in uses(cover):
        yield from _constraint(use, names[use.item])
    yield ""
    costs = "minimize sum(o in 1..options)(costs[o] * bool2int(x[o]))"
    yield f"solve {costs if cover.costs else 'satisfy'};"
    yield 'output ["x\\(o) " ++ words[o] ++ "\\n" | o in 1..options where fix(x[o])];'


def _constraint(use: Use, name: str) -> Iterator[str]:
    """Yield the lines of the constraint of an item."""
    parts = [_over("sum", use.alone)] if use.alone or not use.shades else []
    parts.extend(_over("exists", shade) for shade in use.shades)
    terms = chain(parts[0], *(enclosed(part, "+ ") for part in parts[1:]))
    yield from filled(terms, first=f"constraint :: {quoted(name)} ", behind=f" {_within(use.low, use.high)};")


def _over(function: str, options: Sequence[int]) -> Iterator[str]:
    """Yield the words of a sum over options, or of whether one of them is used."""
    if len(options) > 1 and options[-1] - options[0] + 1 == len(options):
        yield f"{function}(o in {options[0]}..{options[-1]})(x[o])"
    else:
        yield from enclosed(map(str, options), f"{function}(o in {{", "})(x[o])", ",")


def _within(low: int, high: int | None) -> str:
    """Return the condition on a number of uses."""
    if high is None:
        return f">= {low}"
    return f"= {low}" if low == high else f"in {low}..{high}" if low else f"<= {high}"


def quoted(text: str) -> str:
    """Return a text as a string of MiniZinc."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_BEGINNING = (
    r"\s*+(?:%[^\n]*+\s*+)*+"
    r"(?:int\s*:|array\s*\[[^\]\n]*\]\s*of|(?:var|constraint)\s+\w[^\n]*;|include\s*\")"
)

FORMAT = Format(
    "mzn",
    (".mzn",),
    "MiniZinc",
    stage="cover",
    write=write_mzn,
    recognise=(Sign(360, _BEGINNING),),
    aliases=("minizinc", "flatzinc", "fzn"),
    place=260,
    traits=("costs",),
    answers=("minizinc",),
)
