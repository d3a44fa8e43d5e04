"""The table of the kinds of answers, and how the kind is known when nobody says it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple, cast

from puzzlec.diagnostics import PuzzleError, Source, Span, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.formats.registry import ALL
from puzzlec.formats.solutions.claims import notation_of
from puzzlec.formats.solvers.answers.careful import carefully
from puzzlec.formats.solvers.answers.foreign import log_of, refuse_problem
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Ending, Event, Known, Model, Said
from puzzlec.formats.solvers.answers.names import are_labels, are_names
from puzzlec.formats.solvers.answers.notations import unclear
from puzzlec.formats.solvers.answers.numbers import are_numbers, is_vector, may_be_notation, rows_of

#: So many lines are looked at to find out the kind; and, where it is known, whether there is an answer at all.
LOOKED_AT, GLANCED_AT = 300, 5


class Kind(NamedTuple):
    """A kind of answer: what it is, and where its reader is: ``module.function``."""

    name: str
    summary: str
    reader: str

    def read(self, lines: Lines, known: Known) -> Iterator[Event]:
        """Give what an answer says. The module of the reader is imported now."""
        module, function = self.reader.rsplit(".", 1)
        found = getattr(import_module(f"puzzlec.formats.solvers.answers.{module}"), function)
        return cast(Callable[[Lines, Known], Iterator[Event]], found)(lines, known)


KINDS: dict[str, Kind] = {
    each.name: each
    for each in (
        Kind("sat", "SAT solvers: competition output, result files, lists of literals", "literals.read_literals"),
        Kind("pb", "pseudo-Boolean solvers", "literals.read_literals"),
        Kind("highs", "HiGHS: solution files, raw and pretty", "named.read_highs"),
        Kind("gurobi", "Gurobi: solution files; any list of names and values", "named.read_named"),
        Kind("scip", "SCIP: solution files", "named.read_named"),
        Kind("cbc", "CBC: solution files", "named.read_named"),
        Kind("glpk", "GLPK: solution files of `glpsol -o` and `glpsol -w`", "glpk.read_glpk"),
        Kind("cplex", "CPLEX: solution files (XML)", "cplex.read_cplex"),
        Kind("minizinc", "MiniZinc: what it prints, JSON too", "minizinc.read_minizinc"),
        Kind("smt2", "SMT solvers", "smtlib.read_smtlib"),
        Kind("dlx", "Knuth's DLX programs; options by their items, a line each", "covers.read_dlx_answer"),
        Kind("zdd", "Knuth's DLX6: all covers as a decision diagram", "zdd.read_zdd"),
        Kind("bars", "options joined by `|`, a line a solution", "covers.read_bars"),
        Kind(
            "names", "names of options, variables or nodes: a line each, lists and dicts of Python", "names.read_names"
        ),
        Kind("vector", "0 or 1 for each option: a line each, lists of Python and numpy", "numbers.read_vector"),
        Kind("options", "numbers of options from 0, a line or a list a solution", "numbers.read_options"),
        Kind("variables", "numbers of options from 1, a line or a list a solution", "numbers.read_variables"),
        Kind("burrtools", "BurrTools: the assemblies stored in a file", "assemblies.read_burrtools"),
        Kind("soma", "figures in Thorleif Bundgaard's Soma notation", "assemblies.read_figures"),
        Kind("polyform", "solutions that Polyform Puzzler prints", "polyform.read_records"),
        Kind("jsonl", "`puzzlec solve --format jsonl`", "notations.read_jsonl"),
        Kind("list", "`puzzlec solve --format list`", "notations.read_list"),
        Kind("orientations", "DPF's first notation", "notations.read_orientations"),
        Kind("locations", "DPF's second notation", "notations.read_locations"),
    )
}


#: Formats of problems, with the kinds of the answers to them: the first one where nothing else shows the kind.
FORMATS: dict[str, tuple[str, ...]] = {each.name: each.answers for each in ALL.values() if each.answers}


def _any(pattern: str) -> Callable[[list[str], Known], bool]:
    """Return a predicate: does any of the first lines match."""
    compiled = re.compile(pattern)
    return lambda texts, _: any(map(compiled.match, texts))


def _all(pattern: str) -> Callable[[list[str], Known], bool]:
    """Return a predicate: do all of the first lines match."""
    compiled = re.compile(pattern)
    return lambda texts, _: all(map(compiled.match, texts))


def _first(pattern: str) -> Callable[[list[str], Known], bool]:
    """Return a predicate: does the first line match."""
    compiled = re.compile(pattern)
    return lambda texts, _: compiled.match(texts[0]) is not None


def _names_item(line: str, known: Known) -> bool:
    """Whether the first word of a line is an item: then it is no variable."""
    return line.split(maxsplit=1)[0] in known.item_of


def _are_bars(texts: list[str], known: Known) -> bool:
    line = next((each for each in texts if not each.startswith("#")), "")
    parts = [part.strip() for part in line.strip("|").split("|")]
    words = known.item_of
    return (
        len(parts) > 1
        and not line.startswith("(")
        and all(all(word in words for word in part.split()) or known.labelled(part) is not None for part in parts)
    )


def _are_items(texts: list[str], known: Known) -> bool:
    line = next((each for each in texts if not each.startswith("#")), "")
    words = [
        match[1] if (match := re.fullmatch(r"(.*):[^:]+", word)) and word not in known.item_of else word
        for word in line.split()
    ]
    items = [known.item_of.get(word) for word in words]
    found = {item for item in items if item is not None}
    return bool(found) and None not in items and frozenset(found) in known.options_with


#: Kinds with what tells them, in the order in which they are tried.
_PREDICATES: list[tuple[str, Callable[[list[str], Known], bool]]] = [
    ("burrtools", _any(r"(?:<\?xml[^>]*>\s*)?<puzzle\b")),
    ("cplex", _first("<")),
    ("bars", _are_bars),
    ("soma", _any(r"/(?:SOMA|SP)[ \t]*\w|/[.\w$-]+/[.\w$/-]+\s*(?:;.*)?$")),
    ("polyform", _any(r"(?i)(?:(?:at .*, )?solution [0-9]+|solving \w+):\s*$")),
    ("jsonl", _first(r'\{.*"(?:placements|locations)"')),
    ("names", are_names),
    ("minizinc", _any(r"\{$|\{\s*\"|-{10}$|={10}$|={5}[A-Za-z]+={5}$|x\s*=\s*(?:array1d\(|\[)")),
    ("zdd", _any(r"[0-9a-f]+: \(~[0-9]+\?[0-9a-f]+:[0-9a-f]+\)$")),
    ("dlx", _any(r".*\S\s+\([0-9]+ of [0-9]+\)$|Altogether [0-9]+ solution|\([0-9]+ options, ")),
    ("smt2", _first(r"(?:sat|unsat|unknown|success|timeout|unsupported|\(.*|.* interrupted by timeout\.)$")),
    ("glpk", _any(r"c Problem:|s (?:mip|bas|ipt) |Problem:")),
    ("highs", _any(r"Model status|# Primal solution values|Index\s+Status")),
    ("cbc", _first(r".*\s-\s+objective value\s")),
    ("scip", _any(r"(?i)solution status:|no solution available|objective value:")),
    ("sat", _all(r"c\b")),
    ("pb", _any(r"v\s+[-~]?x[0-9]")),
    ("sat", _any(r"[sv]\s|v$|(?:SAT|UNSAT|INDET|SATISFIABLE|UNSATISFIABLE)$|\[+\s*-?[0-9]|[-0-9 ]*-[0-9 -]*$")),
    ("sat", _first(r"None$|False$")),
    ("gurobi", _any(r"#\s*(?:Solution|Objective value)|x[0-9]+\S*\s+[-+.0-9eE]+$|=obj=")),
    ("minizinc", lambda texts, known: re.match(r"x[0-9]+ ", texts[0]) is not None and not _names_item(texts[0], known)),
    ("dlx", _first(r"[0-9]+:$")),
    ("names", are_labels),
    ("dlx", _are_items),
]


def guess_kind(lines: Lines, known: Known, among: Collection[str] = KINDS) -> str | None:
    """Return the kind of answer that the first lines look like, of some kinds; None where nothing tells.

    Of what is only numbers that kind is taken which makes a solution of the first of them.
    """
    head = lines.peek(LOOKED_AT)
    texts = [text for line in head if (text := line.text[:2000].strip())]
    if not texts:
        return None
    told = "vector" in among and is_vector(head, known)
    if told and (not may_be_notation(head, known) or _is_right("vector", lines.name, head, known)):
        return "vector"
    if "options" in among and are_numbers(head):
        return _of_numbers(lines.name, head, known)
    return next((name for name, tells in _PREDICATES if name in among and tells(texts, known)), None)


def _of_numbers(name: str, head: list[Span], known: Known) -> str | None:
    """Return which kind numbers are, by what makes a solution of them; else lines may be a notation."""
    first = rows_of(head)[0]
    listed = "[" in first
    kinds = ["sat", "options"] if listed else ["variables", "options"]
    if not listed and known.fitting is not None:
        fits = {"orientations": len(known.fitting.pieces), "locations": known.fitting.locations}
        shown = next(line.text for line in head if line.text.strip() and not line.text.lstrip().startswith("#"))
        kinds = [kind for kind, number in fits.items() if len(shown.split()) == number] + kinds
    found = next((kind for kind in kinds if _is_right(kind, name, head, known)), None)
    if found is not None:
        return found
    return _notation(name, head, known) if not listed else "sat" if known.right is None else None


def _is_right(kind: str, name: str, head: list[Span], known: Known) -> bool:
    """Whether the first model of an answer is a solution if it is read as some kind."""
    if known.right is None:
        return False
    with suppress(PuzzleError):
        found = next(KINDS[kind].read(Lines(name, [line.source.text + "\n" for line in head]), known), None)
        return isinstance(found, Model) and not found.faults and known.right(found)
    return False


def _notation(name: str, head: list[Span], known: Known) -> str | None:
    """Return the notation of ``puzzlec solve`` that the first lines are in, None where they are in none."""
    if known.fitting is None:
        return None
    with suppress(PuzzleError):
        return notation_of(Source(name, "\n".join(line.source.text for line in head)), known.fitting)
    return None


def kinds_called(name: str) -> Collection[str]:
    """Return the kinds that a name means: a kind, or a format with the kinds of answers to it; none if it is neither.

    >>> kinds_called("SAT"), kinds_called("opb"), kinds_called("sta")
    (('sat',), ('pb',), ())
    """
    low = name.lower()
    return (low,) if low in KINDS else FORMATS.get(low, ())


def read_answer(lines: Lines, known: Known, kind: str | None = None) -> Iterator[Event]:
    """Give what an answer says: models, and that there are no more; the kind is found out where it is not given.

    ``kind`` is one of :data:`KINDS`, or one of the :data:`FORMATS` that the problem was written in. Raises PuzzleError
    for an unknown kind, one that cannot be told, for what cannot be read as a whole, and for what says nothing.
    """
    among = KINDS if kind is None else kinds_called(kind)
    if not among:
        raise fail(
            "PZ611",
            f"there is no kind of answer called `{kind}`",
            note="there are " + ", ".join(KINDS),
            help=suggestion(kind or "", [*KINDS, *FORMATS]),
        )
    number = LOOKED_AT if len(among) > 1 else GLANCED_AT
    head = lines.peek(number)
    refuse_problem(lines.name, head, known)
    nothing = _says_nothing(head) if len(head) < number else None
    if nothing is not None:
        return iter([Said(Ending.COMPLETE, nothing)])
    names = list(among)
    name = names[0] if len(names) == 1 else guess_kind(lines, known, among) or (names[0] if kind is not None else None)
    if name is None:
        shown = [line for line in head if line.text.strip() and not line.text.lstrip().startswith("#")]
        numbers = bool(shown) and re.fullmatch(r"[-0-9\s,\[\](){}]+", shown[0].text) is not None
        name = None if numbers and are_numbers(shown) else _notation(lines.name, head, known)
        if name is None:
            log = log_of(head)
            if log is not None:
                raise log
            help = "numbers may be `sat` (literals), `variables` (from 1) or `options` (from 0)"
            raise unclear(next(iter(shown or head), None), lines.name, help if numbers else "")
    return carefully(KINDS[name].read(lines, known), lines, head, name, kind is None)


def _says_nothing(head: list[Span]) -> Span | None:
    """Return the line of a text that says that there are no solutions, and no more than that."""
    shown = [line for line in head if line.text.strip() and not line.text.lstrip().startswith("#")]
    return shown[0] if len(shown) == 1 and re.fullmatch(r"(?i)(?:0|no) solutions?\.?", shown[0].text.strip()) else None
