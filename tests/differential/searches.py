"""Checks of the engine: each yields a result and the result of brute force."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from unittest.mock import patch

from puzzlec.compiler import check, compile
from puzzlec.diagnostics import Report
from puzzlec.engine import Search
from puzzlec.engine.diagram import ORDERS, SolutionSet
from puzzlec.engine.kernels.scan import ScanKernel
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction.reductions import reduce
from puzzlec.engine.search.count_tasks import FrontierTooWideError
from puzzlec.engine.search.counting import count_covers
from puzzlec.engine.search.splitting import SearchTree, split
from puzzlec.ir import Condition, Puzzle
from puzzlec.lower import region_rules
from puzzlec.solving.solutions import SearchSettings, Solutions
from tests.covers import lists_alone
from tests.differential.case import Case

#: The name of a comparison, the result of puzzlec, and the expected result.
Compared = Iterator[tuple[str, object, object]]

KERNELS = ("python", "lists", "bits")

#: More nodes than any search of these problems has.
MOST_NODES = 10**9


def counts(case: Case) -> Compared:
    """Every kernel counts one cover for each solution. A scan is forced wherever it is possible."""
    for kernel in KERNELS:
        yield f"kernel {kernel}", Search(case.cover, kernel=kernel).count(), len(case.expected)  # type: ignore[arg-type]
    yield "kernel lists alone", lists_alone(case.cover).count(MOST_NODES), len(case.expected)
    with suppress(FrontierTooWideError):
        yield "kernel frontier", count_covers(case.cover, kernel="frontier").number, len(case.expected)
    scan = ScanKernel.of(case.cover.arrays)
    if scan is not None:
        scan.advance(MOST_NODES)
        yield "kernel scan", scan.found if scan.finished else None, len(case.expected)


def listed(case: Case) -> Compared:
    """The kernels find each solution once, and in the same order."""
    first = list(Search(case.cover, kernel="python"))
    found = frozenset(map(case.found, first))
    yield "covers", (found, len(first)), (case.expected, len(case.expected))
    kernel = case.chance.choice(KERNELS[1:])
    yield f"order of {kernel}", list(Search(case.cover, kernel=kernel)), first  # type: ignore[arg-type]


def stream(case: Case) -> Compared:
    """The stream of checked solutions equals brute force; counts agree with symmetry and without."""
    for use in (True, False):
        name = "raw count" if use else "raw count without symmetry"
        yield name, Solutions(case.encoding, symmetry="none", settings=SearchSettings(use)).count(), len(case.expected)
    if case.chance.random() < 0.4:
        solutions = list(Solutions(case.encoding, symmetry="none"))
        if isinstance(case.problem.what, ExactCover):
            yield "stream", len(solutions), len(case.expected)
        else:
            found = frozenset(map(case.laid, solutions))
            yield "stream", (found, len(solutions)), (case.expected, len(case.expected))


def added_up(case: Case) -> Compared:
    """Sums that are added up along their regions allow the same solutions."""
    what = case.problem.what
    if isinstance(what, Puzzle) and any(rule.kind is Condition.SUM for rule in what.rules.regions):
        with patch.object(region_rules, "MOST_COMBINATIONS", 0):
            encoding = compile(what)
        found = [case.laid(encoding.lift(options)) for options in Search(encoding.cover, kernel="bits")]
        yield "sums added up", (frozenset(found), len(found)), (case.expected, len(case.expected))


def solution_set(case: Case) -> Compared:
    """The set of all solutions as a diagram counts and lists them."""
    found = SolutionSet.of(case.cover, order=case.chance.choice(ORDERS))  # type: ignore[arg-type]
    yield "solution set", found.count, len(case.expected)
    yield "covers of the solution set", frozenset(map(case.found, found)), case.expected


def reduced(case: Case) -> Compared:
    """Reductions keep all covers."""
    found = reduce(case.cover, compiled=case.chance.random() < 0.5)
    covers = list(found.lift(Search(found.cover, kernel=case.chance.choice(KERNELS))))  # type: ignore[arg-type]
    told = (frozenset(map(case.found, covers)), len(covers))
    yield "reductions", told, (case.expected, len(case.expected))


def threads(case: Case) -> Compared:
    """Two threads find the same solutions as one, in the same order."""
    kernel = case.chance.choice(KERNELS[1:])
    covers = list(Search(case.cover, kernel=kernel, threads=2))  # type: ignore[arg-type]
    yield f"threads with {kernel}", covers, list(Search(case.cover, kernel="python"))


def portions(case: Case) -> Compared:
    """The parts of a split search together have all covers, in the same order."""
    tree = SearchTree(case.cover)
    covers: list[tuple[int, ...]] = []
    for part in split(tree, case.chance.randint(2, 12)):
        rest = tree.residual(part.path)
        covers += rest.lift(list(Search(rest.cover, kernel=case.chance.choice(KERNELS))))  # type: ignore[arg-type]
    yield "portions", covers, list(Search(case.cover, kernel="python"))


def reasons(case: Case) -> Compared:
    """If a check reports that no solution exists, there is none."""
    report = Report()
    check(case.encoding, report=report)
    if report.errors:
        yield "reasons", [reason.code for reason in report.diagnostics] and 0, len(case.expected)


def restarts(case: Case) -> Compared:
    """A random search finds a solution if there is one."""
    found = list(Solutions(case.encoding, settings=SearchSettings(seed=case.chance.randrange(1000))))
    yield "random search", len(found), min(1, len(case.expected))
    if found and not isinstance(case.problem.what, ExactCover):
        yield "solution of a random search", case.laid(found[0]) in case.expected, True
