"""Costs compared with those of each solution by the definition: the best solutions, and counts by cost."""

from __future__ import annotations

from collections import Counter

from puzzlec.engine import Search
from puzzlec.ir import Puzzle
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.costs import BestSolutions, CountByCost
from tests.differential.case import Case
from tests.differential.searches import KERNELS, Compared

WAYS = ("list", "diagram", "auto")


def prices(case: Case) -> Compared:
    """Each cover has the cost of its solution."""
    expected = case.problem.prices
    if expected:
        covers = Search(case.cover, kernel=case.chance.choice(KERNELS))  # type: ignore[arg-type]
        yield "costs", {case.found(options): case.cover.cost(options) for options in covers}, expected


def by_cost(case: Case) -> Compared:
    """Within a range, each cost has its raw and distinct solutions; outside, none are counted."""
    costs = sorted(set(case.problem.prices.values()))
    if not case.problem.what.costs:
        return
    low, high = sorted(case.chance.choice((*costs, 0)) + case.chance.choice((0, 0, 1)) for _ in range(2))
    bounds = case.chance.choice(((None, None), (low, high), (low, None), (None, high)))
    which, way = convention(case), case.chance.choice(WAYS)
    try:
        groups = distinct(case, which)  # type: ignore[arg-type]
        rows = CountByCost(case.encoding, low=bounds[0], high=bounds[1], symmetry=which, way=way).find()  # type: ignore[arg-type]
    except GroupTooLargeError:
        return
    raw, apart = Counter(case.problem.prices.values()), Counter(groups.values())
    within = [
        one for one in costs if (bounds[0] is None or one >= bounds[0]) and (bounds[1] is None or one <= bounds[1])
    ]
    yield f"counts by cost as a {way}", [tuple(row) for row in rows], [(one, raw[one], apart[one]) for one in within]


def best(case: Case) -> Compared:
    """The best solutions have the best costs, and are distinct."""
    if not case.problem.what.costs:
        return
    which, greatest, number = convention(case), case.chance.random() < 0.5, case.chance.choice((1, 2, 5, 1000))
    try:
        groups = distinct(case, which)  # type: ignore[arg-type]
        search = BestSolutions(case.encoding, number=number, max_cost=greatest, symmetry=which)  # type: ignore[arg-type]
        solutions = list(search)
    except GroupTooLargeError:
        return
    wanted = sorted(groups.values(), reverse=greatest)
    yield "best costs", [solution.cost for solution in solutions], wanted[:number]
    bound = search.bound
    beaten = [cost for cost in wanted[number:] if bound is None or (cost > bound if greatest else cost < bound)]
    yield "bound of the other costs", beaten, []
    if isinstance(case.problem.what, Puzzle):
        laid = [case.laid(solution) for solution in solutions]
        own = [next((orbit for orbit in groups if one in orbit), frozenset()) for one in laid]
        yield "best solutions", [groups.get(orbit) for orbit in own], wanted[:number]
        yield "best solutions are distinct", len(set(own)), len(own)


def convention(case: Case) -> str:
    """Return symmetries up to which the solutions of a problem can be counted by hand."""
    what = case.problem.what
    if not isinstance(what, Puzzle) or what.lattice is None or what.wraps:
        return case.chance.choice(("all", "none"))
    return case.chance.choice(("all", "all", "rotations", "parts", "none"))


def distinct(case: Case, which: SymmetryKind) -> dict[frozenset[object], int]:
    """Return the orbits of the solutions, each with the cost of all its solutions."""
    costs = case.problem.prices
    if which == "none" or not case.has_geometry:
        return {frozenset([one]): cost for one, cost in costs.items()}
    return {frozenset(orbit): costs[next(iter(orbit))] for orbit in case.problem.orbits(which)}
