"""The kinds of answers: how each is recognised, and which function reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import NamedTuple, cast

from puzzlec.diagnostics import Diagnostic, PuzzleError, Source, Span, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.formats.reading import recognised_as_written
from puzzlec.formats.registry import ALL
from puzzlec.formats.solutions.claims import notation_of
from puzzlec.formats.solvers.answers.lines import SourceLines
from puzzlec.formats.solvers.answers.lists import (
    MAX_LAYOUT_LINES,
    are_labels,
    are_names,
    are_numbers,
    is_vector,
    may_be_notation,
    rows_of,
)
from puzzlec.formats.solvers.answers.model import AnswerMeaning, Ending, EndingClaim, Event, Model

#: Beginnings of the log of a program, and how to get its answer.
_LOGS = (
    (r"Welcome to the CBC|Cbc[0-9]{4}I|Coin[0-9]{4}I", "CBC", "give the file that its command `solu FILE` writes"),
    (r"Running HiGHS|HiGHS [0-9.]+|Using HiGHS", "HiGHS", "give the file of its option `--solution_file`"),
    (r"GLPSOL", "GLPK", "give the file of `glpsol -o` or `glpsol -w`"),
    (r"Gurobi Optimizer|Set parameter |Gurobi [0-9.]+", "Gurobi", "give the file of its parameter `ResultFile`"),
    (r"SCIP version", "SCIP", "give the file that its command `write solution FILE` writes"),
    (r"Welcome to IBM|.*ILOG.*CPLEX|Version identifier: [0-9.]+", "CPLEX",
     "give the file that its command `write FILE.sol` writes"),
    (r".*\.(?:mzn|fzn):[0-9.-]+:$|(?:MiniZinc: |Error: |Warning: included file)", "MiniZinc",
     "it reports an error or a warning, and no solution"),
)  # fmt: skip


def problem_in(name: str, lines: Sequence[Span], meaning: AnswerMeaning) -> str | None:
    """Return the format of a problem from its first lines; None if they are not a problem."""
    source = Source(name, "\n".join(line.source.text for line in lines) + "\n")
    first = next((line.text.strip() for line in lines if line.text.strip()), "")
    if any(re.match(r"c x [0-9]+ = |p cnf ", line.text) for line in lines):
        return "cnf"
    if re.match(r"\{\s*\"puzzlec\": *[0-9]", source.text):
        return "json"
    # In a DLX file the first line has all items.
    items = [meaning.item_of.get(word.rpartition("|")[2]) for word in first.split()]
    many = len(lines) > 1 < len(items) and None not in items and meaning.cover.primary <= len(items)
    if many and set(items) >= set(range(meaning.cover.primary)) and frozenset(items) not in meaning.options_with:
        return "dlx"
    format = recognised_as_written(source)
    return None if format == "smt2" and first.startswith("(define-") else format


def refuse_problem(name: str, lines: Sequence[Span], meaning: AnswerMeaning) -> None:
    """Raise PuzzleError (PZ611) if the first lines of a text are a problem instead of an answer."""
    format = problem_in(name, lines, meaning)
    if format is not None:
        at = next(line for line in lines if line.text.strip())
        message = f"expected an answer, found a problem in the format `{format}`"
        raise fail("PZ611", message, at, help="use the answer that the other program gave to this problem")


def log_of(lines: Sequence[Span]) -> PuzzleError | None:
    """Return the error for the log of a solver; None if the first lines are not a log."""
    for line in lines:
        for pattern, program, help in _LOGS:
            if re.match(pattern, line.text.strip()):
                return fail(
                    "PZ611", f"expected an answer, found a log of {program} without a solution", line, help=help
                )
    return None


#: Maximum number of errors of one code that are all reported if the whole answer is unreadable. If there are more, only
#: the first is reported, with their number.
MAX_ERRORS_LISTED = 10

#: Number of unreadable models after which the others are skipped.
MAX_UNREADABLE_MODELS = 1000

#: Errors that a wrong kind may cause.
_CODES_OF_WRONG_KIND = ("PZ601", "PZ602", "PZ603", "PZ604", "PZ605", "PZ606", "PZ612", "PZ613", "PZ618")


def carefully(
    events: Iterator[Event], lines: SourceLines, head: Sequence[Span], kind: str, guessed: bool
) -> Iterator[Event]:
    """Yield the events of an answer with the first lines ``head``; raise PuzzleError if there are none (PZ616).

    An empty answer proves nothing, and a wrong kind is reported once. Unreadable models are held back until one is
    readable. If none is, and there are many, one error is raised that names the kind. If the kind was ``guessed``, the
    first error says so.
    """
    held: list[Model] = []
    readable: Event | None = None
    fatal: tuple[Diagnostic, ...] = ()
    try:
        for event in events:
            if not isinstance(event, Model) or not event.faults:
                readable = event
                break
            held.append(event)
            if len(held) == MAX_UNREADABLE_MODELS:
                break
    except PuzzleError as error:
        fatal = error.diagnostics
    if readable is not None:
        yield from held
        yield readable
        yield from events
        return
    faults = [*(fault for model in held for fault in model.faults), *fatal]
    if not faults:
        message = "unexpected end of file: missing a solution, or that there is none"
        raise log_of(head) or fail("PZ616", message, lines.end, help=_kind_help(kind, guessed))
    diagnostics = _unreadable(faults, head, kind, guessed).diagnostics
    if fatal or len(diagnostics) < len(faults) or diagnostics[0].code == "PZ611":
        raise PuzzleError(diagnostics)
    yield held[0]._replace(faults=diagnostics[: len(held[0].faults)])
    yield from held[1:]


def _unreadable(faults: list[Diagnostic], head: Sequence[Span], kind: str, guessed: bool) -> PuzzleError:
    """Return the error for an unreadable answer: many errors of one code become one."""
    log = log_of(head)
    if log is not None:
        return log
    first, *others = faults
    if len(faults) > MAX_ERRORS_LISTED and len({fault.code for fault in faults}) <= 3:
        note = f"{len(faults)} errors of this kind: the whole answer is unreadable as `{kind}`"
        first, others = replace(first, notes=(*first.notes, note)), []
    if first.code in _CODES_OF_WRONG_KIND:
        first = replace(first, helps=(*first.helps, *_kind_help(kind, guessed)))
    return PuzzleError([first, *others])


def _kind_help(kind: str, guessed: bool) -> tuple[str, ...]:
    return (f"this was read as `{kind}`: add `--solutions-from` for another kind of answer",) * guessed


#: Lines that are read to see whether there is an answer at all, if the kind is known.
HEAD_LINES = 5


class AnswerKind(NamedTuple):
    """A kind of answer: its name, its summary, and its reader: ``module.function``."""

    name: str
    summary: str
    reader: str

    def read(self, lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
        """Yield the events of an answer. The module of the reader is imported now."""
        module, function = self.reader.rsplit(".", 1)
        reader = getattr(import_module(f"puzzlec.formats.solvers.answers.{module}"), function)
        return cast(Callable[[SourceLines, AnswerMeaning], Iterator[Event]], reader)(lines, meaning)


KINDS: dict[str, AnswerKind] = {
    kind.name: kind
    for kind in (
        AnswerKind("sat", "SAT solvers: competition output, result files, lists of literals", "literals.read_literals"),
        AnswerKind("pb", "pseudo-Boolean solvers", "literals.read_literals"),
        AnswerKind("highs", "HiGHS: solution files, raw and pretty", "named.read_highs"),
        AnswerKind("gurobi", "Gurobi: solution files; any list of names and values", "named.read_named"),
        AnswerKind("scip", "SCIP: solution files", "named.read_named"),
        AnswerKind("cbc", "CBC: solution files", "named.read_named"),
        AnswerKind("glpk", "GLPK: solution files of `glpsol -o` and `glpsol -w`", "named.read_glpk"),
        AnswerKind("cplex", "CPLEX: solution files (XML)", "named.read_cplex"),
        AnswerKind("minizinc", "MiniZinc: its output, also as JSON", "minizinc.read_minizinc"),
        AnswerKind("smt2", "SMT solvers", "smtlib.read_smtlib"),
        AnswerKind("dlx", "Knuth's DLX programs; one option on each line, by its items", "covers.read_dlx_answer"),
        AnswerKind("zdd", "Knuth's DLX6: all covers as a decision diagram", "covers.read_zdd"),
        AnswerKind("bars", "options joined by `|`, one solution on each line", "covers.read_bars"),
        AnswerKind(
            "names",
            "names of options, variables or nodes: one on each line, or a Python list or dict",
            "lists.read_names",
        ),
        AnswerKind(
            "vector", "0 or 1 for each option: one on each line, or a list of Python or numpy", "lists.read_vector"
        ),
        AnswerKind("options", "numbers of options from 0; a line or list for each solution", "lists.read_options"),
        AnswerKind("variables", "numbers of options from 1; a line or list for each solution", "lists.read_variables"),
        AnswerKind("burrtools", "BurrTools: the assemblies stored in a file", "assemblies.read_burrtools"),
        AnswerKind("soma", "figures in Thorleif Bundgaard's Soma notation", "assemblies.read_figures"),
        AnswerKind("polyform", "solutions that Polyform Puzzler prints", "assemblies.read_records"),
        AnswerKind("jsonl", "`puzzlec solve --to jsonl`", "assemblies.read_jsonl"),
        AnswerKind("list", "`puzzlec solve --to list`", "assemblies.read_list"),
        AnswerKind("orientations", "DPF's first notation", "assemblies.read_orientations"),
        AnswerKind("locations", "DPF's second notation", "assemblies.read_locations"),
        AnswerKind("states", "pieces in states, such as 26 for piece 2 in state 6", "assemblies.read_states"),
    )
}


#: Formats of problems, with the kinds of answers to them, the default first.
FORMATS: dict[str, tuple[str, ...]] = {record.name: record.answers for record in ALL.values() if record.answers}


def _any(pattern: str) -> Callable[[list[str], AnswerMeaning], bool]:
    """Return a predicate: whether any of the first lines matches."""
    compiled = re.compile(pattern)
    return lambda texts, _: any(map(compiled.match, texts))


def _first(pattern: str) -> Callable[[list[str], AnswerMeaning], bool]:
    """Return a predicate: whether the first line matches."""
    compiled = re.compile(pattern)
    return lambda texts, _: compiled.match(texts[0]) is not None


def _begins(texts: list[str]) -> str:
    """Return the first line that is not a comment."""
    return next((text for text in texts if not text.startswith("#")), "")


def _are_bars(texts: list[str], meaning: AnswerMeaning) -> bool:
    line = _begins(texts)
    parts = [part.strip() for part in line.strip("|").split("|")]
    return (
        len(parts) > 1
        and not line.startswith("(")
        and all(
            all(word in meaning.item_of for word in part.split()) or meaning.labelled(part) is not None
            for part in parts
        )
    )


def _are_items(texts: list[str], meaning: AnswerMeaning) -> bool:
    words = [
        match[1] if word not in meaning.item_of and (match := re.fullmatch(r"(.*):[^:]+", word)) else word
        for word in _begins(texts).split()
    ]
    return bool(words) and frozenset(map(meaning.item_of.get, words)) in meaning.options_with


def _are_names_of_variables(texts: list[str], meaning: AnswerMeaning) -> bool:
    """Whether the first line begins with a variable and a space, and not with an item."""
    return re.match(r"x[0-9]+ ", texts[0]) is not None and texts[0].split()[0] not in meaning.item_of


#: Kinds with their predicates, in the order of trial.
_PREDICATES: list[tuple[str, Callable[[list[str], AnswerMeaning], bool]]] = [
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
    ("sat", lambda texts, _: all(re.match(r"c\b", text) for text in texts)),
    ("pb", _any(r"v\s+[-~]?x[0-9]")),
    ("sat", _any(r"[sv]\s|v$|(?:SAT|UNSAT|INDET|SATISFIABLE|UNSATISFIABLE)$|\[+\s*-?[0-9]|[-0-9 ]*-[0-9 -]*$")),
    ("sat", _first(r"None$|False$")),
    ("gurobi", _any(r"#\s*(?:Solution|Objective value)|x[0-9]+\S*\s+[-+.0-9eE]+$|=obj=")),
    ("minizinc", _are_names_of_variables),
    ("dlx", _first(r"[0-9]+:$")),
    ("names", are_labels),
    ("dlx", _are_items),
]


def guess_kind(lines: SourceLines, meaning: AnswerMeaning, among: Collection[str] = KINDS) -> str | None:
    """Return the kind of an answer from its first lines, among some kinds; None if it is unknown.

    An answer of numbers gets the kind in which the first numbers are a solution.
    """
    head = lines.peek(MAX_LAYOUT_LINES)
    texts = [text for line in head if (text := line.text[:2000].strip())]
    if not texts:
        return None
    looks_like_vector = "vector" in among and is_vector(head, meaning)
    if looks_like_vector and (not may_be_notation(head, meaning) or _is_right("vector", lines.name, head, meaning)):
        return "vector"
    if "options" in among and are_numbers(head):
        return _of_numbers(lines.name, head, meaning)
    return next((name for name, tells in _PREDICATES if name in among and tells(texts, meaning)), None)


def _of_numbers(name: str, head: list[Span], meaning: AnswerMeaning) -> str | None:
    """Return the kind of an answer of numbers: the kind in which they are a solution, else perhaps a notation."""
    first = rows_of(head)[0]
    listed = "[" in first
    kinds = ["sat", "options"] if listed else ["variables", "options"]
    if not listed and meaning.fitting is not None:
        fits = {"orientations": len(meaning.fitting.pieces), "locations": meaning.fitting.locations}
        width = len(_content(head)[0].text.split())
        kinds = [kind for kind, number in fits.items() if width == number] + kinds
    right = next((kind for kind in kinds if _is_right(kind, name, head, meaning)), None)
    if right is not None:
        return right
    return _notation(name, head, meaning) if not listed else "sat" if meaning.right is None else None


def _is_right(kind: str, name: str, head: list[Span], meaning: AnswerMeaning) -> bool:
    """Whether the first model of an answer is a solution if it is read as some kind."""
    if meaning.right is None:
        return False
    with suppress(PuzzleError):
        first = next(KINDS[kind].read(SourceLines(name, [line.source.text + "\n" for line in head]), meaning), None)
        return isinstance(first, Model) and not first.faults and meaning.right(first)
    return False


def _notation(name: str, head: list[Span], meaning: AnswerMeaning) -> str | None:
    """Return the notation of ``puzzlec solve`` of the first lines; None if it is unknown."""
    if meaning.fitting is None:
        return None
    with suppress(PuzzleError):
        return notation_of(Source(name, "\n".join(line.source.text for line in head)), meaning.fitting)
    return None


def kinds_called(name: str) -> Collection[str]:
    """Return the kinds with a name: a kind, or a format with the kinds of answers to it; empty if it is neither.

    >>> kinds_called("SAT"), kinds_called("opb"), kinds_called("sta")
    (('sat',), ('pb',), ())
    """
    low = name.lower()
    return (low,) if low in KINDS else FORMATS.get(low, ())


def read_answer(lines: SourceLines, meaning: AnswerMeaning, kind: str | None = None) -> Iterator[Event]:
    """Yield the models of an answer, and whether there are more; the kind is found if it is not given.

    ``kind`` is one of :data:`KINDS`, or one of the :data:`FORMATS` of the problem. Raises PuzzleError for an unknown
    kind, for a kind that cannot be found, and for invalid and empty answers.
    """
    among = KINDS if kind is None else kinds_called(kind)
    if not among:
        raise fail(
            "PZ611",
            f"unknown kind of answer `{kind}`",
            note="kinds are " + ", ".join(KINDS),
            help=suggestion(kind or "", [*KINDS, *FORMATS]),
        )
    number = MAX_LAYOUT_LINES if len(among) > 1 else HEAD_LINES
    head = lines.peek(number)
    refuse_problem(lines.name, head, meaning)
    nothing = _says_nothing(head) if len(head) < number else None
    if nothing is not None:
        return iter([EndingClaim(Ending.COMPLETE, nothing)])
    names = list(among)
    name = (
        names[0] if len(names) == 1 else guess_kind(lines, meaning, among) or (names[0] if kind is not None else None)
    )
    if name is None:
        content = _content(head)
        numbers = bool(content) and re.fullmatch(r"[-0-9\s,\[\](){}]+", content[0].text) is not None
        name = None if numbers and are_numbers(content) else _notation(lines.name, head, meaning)
        if name is None:
            log = log_of(head)
            if log is not None:
                raise log
            help = "add `--solutions-from` with `sat` (literals), `variables` (from 1) or `options` (from 0)"
            raise _unclear(next(iter(content or head), None), lines.name, help if numbers else "")
    return carefully(KINDS[name].read(lines, meaning), lines, head, name, kind is None)


def _content(head: list[Span]) -> list[Span]:
    """Return the lines that are not empty, and not comments."""
    return [line for line in head if line.text.strip() and not line.text.lstrip().startswith("#")]


def _says_nothing(head: list[Span]) -> Span | None:
    """Return the line that states that there are no solutions, if a text has no other line."""
    content = _content(head)
    if len(content) == 1 and re.fullmatch(r"(?i)(?:0|no) solutions?\.?", content[0].text.strip()):
        return content[0]
    return None


def _unclear(at: Span | None, file: str, help: str = "") -> PuzzleError:
    """Return the error for an unknown kind of answer."""
    return fail(
        "PZ611",
        "unknown kind of answer",
        at,
        file=file,
        help=(*([help] if help else []), "add `--solutions-from`; `puzzlec check --to text --help` lists the kinds"),
    )
