"""Costs of puzzles: each solution priced by the definition here, and the best ones found by two other solvers."""

from __future__ import annotations

from random import Random

import pytest

import puzzlec
from puzzlec import PuzzleError
from puzzlec.lower import Encoding

PAYERS = ("", "A", "B", "C", "empty")


def random_puzzle(seed: int) -> tuple[str, list[tuple[str, str, list[tuple[int, int]], int]]]:
    """A small puzzle with costs, and the costs as (payer, where, cells, value)."""
    random = Random(seed)
    wide = 3
    costs, lines = [], []
    for _ in range(random.randint(1, 6)):
        payer = random.choice(PAYERS)
        where = random.choice(["", "on", "in", "off"] if payer in PAYERS[:4] else ["", "on"])
        at, size = (random.randrange(wide), random.randrange(2)), (random.randint(1, 2), random.randint(1, 2))
        cells = [(at[0] + x, at[1] + y) for x in range(size[0]) for y in range(size[1])]
        cells = [cell for cell in cells if cell[0] < wide and cell[1] < 3] if where else []
        value = random.randint(-4, 9)
        costs.append((payer, where, cells, value))
        region = f"{where} cells {' '.join(f'({x},{y})' for x, y in cells)} " if where else ""
        lines.append(f"cost {payer + ' ' if payer else ''}{region}= {value}")
    head = f"""locations box {wide}x2
optional locations box {wide}x1 at (0,2)
piece A x0..2 {{ xx }}
piece B x0..1 {{ xx / x. }}
piece C x0..2 {{ x }}
"""
    return head + "\n".join(lines), costs


def price(solution: puzzlec.Solution, costs: list[tuple[str, str, list[tuple[int, int]], int]]) -> int:
    """The cost of a solution by the definition."""
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    at = [location.at for location in puzzle.locations]
    placed = [(puzzle.pieces[each.piece].name, {at[k] for k in each.locations}) for each in solution.placements]
    covered = {cell for _, cells in placed for cell in cells}
    total = 0
    for payer, where, cells, value in costs:
        if payer == "empty":
            bare = [cell for cell in at if cell not in covered]
            total += value * len([cell for cell in bare if not where or cell in cells])
        else:
            for name, own in placed:
                if payer in ("", name):
                    inside = len(own.intersection(cells))
                    pays = {"": 1, "on": inside, "in": inside == len(own), "off": not inside}[where]
                    total += value * int(pays)
    return total


def test_a_solution_costs_what_the_statements_say() -> None:
    for seed in range(20):
        text, costs = random_puzzle(seed)
        puzzle = puzzlec.parse(text)
        prices = []
        for solution in puzzlec.solve(puzzle, raw=True):
            assert solution.cost == price(solution, costs), text
            prices.append(solution.cost)
        found = [solution.cost for solution in puzzlec.best(puzzle, 3, symmetry="none")]
        assert found == sorted(prices)[:3], text
        assert [one.cost for one in puzzlec.best(puzzle, 2, True, symmetry="none")] == sorted(prices)[::-1][:2]


def test_distinct_solutions_have_the_costs_of_all_solutions() -> None:
    for seed in range(12):
        puzzle = puzzlec.parse(random_puzzle(seed)[0])
        raw = {solution.cost for solution in puzzlec.solve(puzzle, raw=True)}
        distinct = [solution.cost for solution in puzzlec.best(puzzle, 10000)]
        assert set(distinct) == raw
        assert len(distinct) == puzzlec.count(puzzle)


def test_colours_pay_for_each_cell() -> None:
    text = """colours r
locations { rx }
piece A { rx }
cost colour r = 5
cost colour r on cells (0,0) = 2
cost colour r on cells (1,0) = 100
"""
    assert [solution.cost for solution in puzzlec.best(puzzlec.parse(text))] == [7]


def test_puzzles_and_json_keep_costs() -> None:
    for seed in range(12):
        puzzle = puzzlec.parse(random_puzzle(seed)[0])
        for format in ("puzzle", "json"):
            assert puzzlec.parse(puzzlec.convert(puzzle, format), format) == puzzle
        fitting = puzzlec.compile(puzzle, "fitting")
        again = puzzlec.parse(puzzlec.convert(fitting, "json"), "json")
        assert isinstance(again, puzzlec.Fitting)
        assert isinstance(fitting, puzzlec.Fitting)
        assert again.costs == fitting.costs
        encoding = puzzlec.compile(puzzle, "cover")
        assert isinstance(encoding, Encoding)
        assert puzzlec.parse(puzzlec.convert(encoding.cover, "json"), "json") == encoding.cover


def test_a_puzzle_without_costs_has_no_best_solution() -> None:
    with pytest.raises(PuzzleError, match="PZ719"):
        puzzlec.best("soma")


def by_cpsat(cover: puzzlec.ExactCover, sign: int) -> int | None:
    """The best cost by CP-SAT."""
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    taken = [model.new_bool_var(str(option)) for option in range(len(cover))]
    for item in range(cover.primary):
        own = sum(taken[option] for option in range(len(cover)) if item in cover.row(option))
        model.add(own >= cover.low[item])
        model.add(own <= cover.high[item])
    for item in range(cover.primary, cover.primary + cover.secondary):
        model.add_at_most_one([taken[option] for option in range(len(cover)) if item in cover.row(option)])
    model.minimize(sum(sign * cost * one for cost, one in zip(cover.costs, taken, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    return sign * round(solver.objective_value) if status == cp_model.OPTIMAL else None


def by_highs(cover: puzzlec.ExactCover, sign: int) -> int | None:
    """The best cost by HiGHS, as scipy has it: highspy cannot be loaded beside OR-Tools."""
    optimize = pytest.importorskip("scipy.optimize")
    matrix = cover.as_matrix().T
    low = [*cover.low, *[0] * cover.secondary]
    high = [*cover.high, *[1] * cover.secondary]
    rows = optimize.LinearConstraint(matrix, low, high)
    found = optimize.milp(
        [sign * cost for cost in cover.costs], constraints=rows, integrality=1, bounds=optimize.Bounds(0, 1)
    )
    return sign * round(found.fun) if found.success else None


def agree(seeds: range) -> None:
    """Check that puzzlec, CP-SAT and HiGHS find the same best costs."""
    for seed in seeds:
        encoding = puzzlec.compile(puzzlec.parse(random_puzzle(seed)[0]))
        assert isinstance(encoding, Encoding)
        for greatest in (False, True):
            found = [solution.cost for solution in puzzlec.best(encoding, greatest=greatest)]
            own = found[0] if found else None
            assert own == by_cpsat(encoding.cover, -1 if greatest else 1), seed
            assert own == by_highs(encoding.cover, -1 if greatest else 1), seed


def test_cpsat_and_highs_find_the_same_best_costs() -> None:
    agree(range(25))


@pytest.mark.parametrize(("greatest", "cost"), [(False, 22), (True, 33)])
def test_cpsat_and_highs_find_the_best_costs_that_the_catalogue_states(greatest: bool, cost: int) -> None:
    encoding = puzzlec.compile("pentominoes/cheapest-5x6")
    assert isinstance(encoding, Encoding)
    assert [solution.cost for solution in puzzlec.best(encoding, greatest=greatest)] == [cost]
    sign = -1 if greatest else 1
    assert (by_cpsat(encoding.cover, sign), by_highs(encoding.cover, sign)) == (cost, cost)


@pytest.mark.slow
def test_cpsat_and_highs_find_the_same_best_costs_of_many_puzzles() -> None:
    agree(range(25, 1025))
