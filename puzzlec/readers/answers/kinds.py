"""The table of the kinds of answers, and how the kind is known when nobody says it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import NamedTuple, cast

from puzzlec.diagnostics import suggestion
from puzzlec.diagnostics.diagnostic import fail
from puzzlec.readers.answers.lines import Lines
from puzzlec.readers.answers.model import Event, Known

#: So many lines are looked at to find out the kind.
LOOKED_AT = 300


class Kind(NamedTuple):
    """A kind of answer: what it is, and where its reader is: ``module.function``."""

    name: str
    summary: str
    reader: str

    def read(self, lines: Lines, known: Known) -> Iterator[Event]:
        """Give what an answer says. The module of the reader is imported now."""
        module, function = self.reader.rsplit(".", 1)
        found = getattr(import_module(f"puzzlec.readers.answers.{module}"), function)
        return cast(Callable[[Lines, Known], Iterator[Event]], found)(lines, known)


KINDS: dict[str, Kind] = {
    each.name: each
    for each in (
        Kind("sat", "SAT solvers: competition output, result files, lists of literals", "literals.read_literals"),
        Kind("pb", "pseudo-Boolean solvers", "literals.read_literals"),
        Kind("highs", "HiGHS: solution files, raw and pretty", "named.read_highs"),
        Kind("gurobi", "Gurobi: solution files; any list of names and values", "named.read_gurobi"),
        Kind("scip", "SCIP: solution files", "named.read_scip"),
        Kind("cbc", "CBC: solution files", "named.read_cbc"),
        Kind("glpk", "GLPK: solution files of `glpsol -o` and `glpsol -w`", "glpk.read_glpk"),
        Kind("cplex", "CPLEX: solution files (XML)", "cplex.read_cplex"),
        Kind("minizinc", "MiniZinc: what it prints, JSON too", "minizinc.read_minizinc"),
        Kind("smt2", "SMT solvers", "smtlib.read_smtlib"),
        Kind("dlx", "Knuth's DLX programs; options by their items, a line each", "covers.read_dlx_answer"),
        Kind("zdd", "Knuth's DLX6: all covers as a decision diagram", "zdd.read_zdd"),
        Kind("bars", "options joined by `|`, a line a solution", "covers.read_bars"),
        Kind("options", "numbers of options from 0, a line a solution", "covers.read_options"),
        Kind("variables", "numbers of options from 1, a line a solution", "covers.read_variables"),
        Kind("burrtools", "BurrTools: the assemblies stored in a file", "assemblies.read_burrtools"),
        Kind("soma", "figures in Thorleif Bundgaard's Soma notation", "assemblies.read_figures"),
        Kind("polyform", "solutions that Polyform Puzzler prints", "polyform.read_records"),
        Kind("jsonl", "`puzzlec solve --format jsonl`", "notations.read_jsonl"),
        Kind("list", "`puzzlec solve --format list`", "notations.read_list"),
        Kind("orientations", "DPF's first notation", "notations.read_orientations"),
        Kind("locations", "DPF's second notation", "notations.read_locations"),
    )
}


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


def _are_bars(texts: list[str], known: Known) -> bool:
    line = next((each for each in texts if not each.startswith("#")), "")
    words = set(known.item_of)
    return "|" in line and all(word in words or not word for word in re.split(r"[\s|]+", line))


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
    ("soma", _any(r"/(?:SOMA|SP)[ \t]*\w|/[.\w$-]+/[.\w$/-]+\s*(?:;.*)?$")),
    ("polyform", _any(r"(?i)(?:(?:at .*, )?solution [0-9]+|solving \w+):\s*$")),
    ("jsonl", _first(r'\{.*"(?:placements|locations)"')),
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
    ("minizinc", _first(r"x[0-9]+ ")),
    ("dlx", _first(r"[0-9]+:$")),
    ("bars", _are_bars),
    ("dlx", _are_items),
]


def guess_kind(lines: Lines, known: Known) -> str | None:
    """Return the kind of answer that the first lines look like; None: a notation of ``puzzlec solve``, if any."""
    texts = [text for line in lines.peek(LOOKED_AT) if (text := line.text[:2000].strip())]
    return next((name for name, tells in _PREDICATES if texts and tells(texts, known)), None)


def read_answer(lines: Lines, known: Known, kind: str | None = None) -> Iterator[Event]:
    """Give what an answer says: models, and that there are no more; the kind is found out where it is not given.

    Raises PuzzleError for an unknown kind, one that cannot be told, and what cannot be read as a whole.
    """
    if kind is not None and kind not in KINDS:
        raise fail(
            "PZ611",
            f"there is no kind of answer called `{kind}`",
            note="there are " + ", ".join(KINDS),
            help=suggestion(kind, KINDS),
        )
    name = kind or guess_kind(lines, known)
    if name is not None:
        return KINDS[name].read(lines, known)
    from puzzlec.readers.answers.notations import read_any, unclear

    first = next((line for line in lines.peek(LOOKED_AT) if line.text.strip()), None)
    if known.fitting is None or (first is not None and _is_unclear(first.text, known)):
        numbers = first is not None and re.fullmatch(r"[-0-9\s,]+", first.text)
        help = "numbers may be `sat` (literals), `variables` (from 1) or `options` (from 0)"
        raise unclear(first, lines.name, help if numbers else "")
    return read_any(lines, known)


def _is_unclear(line: str, known: Known) -> bool:
    """Whether a line of numbers may be of a notation of DPF, but has not as many as there are pieces or locations."""
    fitting = known.fitting
    if fitting is None or not re.fullmatch(r"[-0-9\s,]+", line):
        return False
    return len(line.split()) not in (len(fitting.pieces), fitting.locations)
