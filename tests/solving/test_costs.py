"""Costs: solutions priced by the definition here, the best ones found by two other solvers, and counts by cost."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import puzzlec
from puzzlec import Limits, PuzzleError, UnfinishedError
from puzzlec.engine import Search, Stop
from puzzlec.solving import tally
from puzzlec.solving.costs import BestSolutions, CountByCost, read_range

PAYERS = ("", "A", "B", "C", "empty")


def random_puzzle(seed: int) -> tuple[str, list[tuple[str, str, list[tuple[int, int]], int]]]:
    """A small puzzle with costs, and the costs as (payer, where, cells, value)."""
    random = Random(seed)
    wide = 3
    costs, lines = [], []
    for _ in range(random.randint(1, 6)):
        payer = random.choice(PAYERS)
        where = random.choice(["", "per", "inside", "on", "off", "at"] if payer in PAYERS[:4] else ["", "per"])
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
    placed = [
        (puzzle.pieces[placement.number].name, {at[k] for k in placement.locations})
        for placement in solution.placements
    ]
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
                    pays = {
                        "": 1,
                        "per": inside,
                        "inside": inside == len(own),
                        "on": inside > 0,
                        "off": not inside,
                        "at": own == set(cells),
                    }[where]
                    total += value * int(pays)
    return total


def test_a_solution_costs_what_the_statements_say() -> None:
    for seed in range(20):
        text, costs = random_puzzle(seed)
        puzzle = puzzlec.parse(text)
        prices = []
        for solution in puzzlec.solve(puzzle, symmetry="none"):
            assert solution.cost == price(solution, costs), text
            prices.append(solution.cost)
        found = [solution.cost for solution in puzzlec.best(puzzle, number=3, symmetry="none")]
        assert found == sorted(prices)[:3], text
        assert [one.cost for one in puzzlec.best(puzzle, number=2, max_cost=True, symmetry="none")] == sorted(prices)[
            ::-1
        ][:2]


def test_distinct_solutions_have_the_costs_of_all_solutions() -> None:
    for seed in range(12):
        puzzle = puzzlec.parse(random_puzzle(seed)[0])
        raw = {solution.cost for solution in puzzlec.solve(puzzle, symmetry="none")}
        distinct = [solution.cost for solution in puzzlec.best(puzzle, number=10000)]
        assert set(distinct) == raw
        assert len(distinct) == puzzlec.count(puzzle)


def test_colours_pay_for_each_cell() -> None:
    text = """colours r
locations { rx }
piece A { rx }
cost colour r = 5
cost colour r per cells (0,0) = 2
cost colour r per cells (1,0) = 100
"""
    assert [solution.cost for solution in puzzlec.best(puzzlec.parse(text))] == [7]


def test_puzzles_and_json_keep_costs() -> None:
    for seed in range(12):
        puzzle = puzzlec.parse(random_puzzle(seed)[0])
        for format in ("puzzle", "json"):
            assert puzzlec.parse(puzzlec.convert(puzzle, format), format=format) == puzzle
        fitting = puzzlec.compile(puzzle, stage="fitting")
        again = puzzlec.parse(puzzlec.convert(fitting, "json"), format="json")
        assert isinstance(again, puzzlec.Fitting)
        assert again.costs == fitting.costs
        encoding = puzzlec.compile(puzzle)
        assert puzzlec.parse(puzzlec.convert(encoding.cover, "json"), format="json") == encoding.cover


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
        for greatest in (False, True):
            found = [solution.cost for solution in puzzlec.best(encoding, max_cost=greatest)]
            own = found[0] if found else None
            assert own == by_cpsat(encoding.cover, -1 if greatest else 1), seed
            assert own == by_highs(encoding.cover, -1 if greatest else 1), seed


@pytest.mark.long
def test_cpsat_and_highs_find_the_same_best_costs() -> None:
    agree(range(25))


@pytest.mark.long
@pytest.mark.parametrize(("greatest", "cost"), [(False, 22), (True, 33)])
def test_cpsat_and_highs_find_the_best_costs_that_the_catalogue_states(greatest: bool, cost: int) -> None:
    encoding = puzzlec.compile("pentominoes/cheapest-5x6")
    assert [solution.cost for solution in puzzlec.best(encoding, max_cost=greatest)] == [cost]
    sign = -1 if greatest else 1
    assert (by_cpsat(encoding.cover, sign), by_highs(encoding.cover, sign)) == (cost, cost)


@pytest.mark.slow
def test_cpsat_and_highs_find_the_same_best_costs_of_many_puzzles() -> None:
    agree(range(25, 1025))


RANGES = ((None, None), (0, None), (None, 4), (-2, 5), (3, 3), (99, None))


def counted(puzzle: puzzlec.Puzzle, raw: bool) -> Counter[int | None]:
    """The costs of all solutions."""
    return Counter(solution.cost for solution in puzzlec.solve(puzzle, symmetry="none" if raw else "all"))


@pytest.mark.long
@pytest.mark.parametrize("way", ["list", "diagram", "auto"])
def test_each_cost_has_the_solutions_that_a_search_finds(way: str) -> None:
    for seed in range(12):
        puzzle = puzzlec.parse(random_puzzle(seed)[0])
        raw, distinct = counted(puzzle, True), counted(puzzle, False)
        for low, high in RANGES:
            within = [
                cost
                for cost in raw
                if cost is not None and (low is None or cost >= low) and (high is None or cost <= high)
            ]
            found = CountByCost(puzzle, low=low, high=high, way=way).find()
            assert found == [(cost, raw[cost], distinct[cost]) for cost in sorted(within)], (seed, low, high)


#: Costs that the symmetries of the board keep: solutions are distinct up to eight symmetries.
SYMMETRIC = (
    "locations box 5x5\npieces pentominoes x0..1\ncost per cells (2,2) = 3\ncost I = 7\ncost X off box 1x1 at (2,2) = 5"
)


@pytest.mark.parametrize("way", ["list", "diagram"])
def test_distinct_solutions_are_counted_up_to_the_symmetries_that_keep_costs(way: str) -> None:
    puzzle = puzzlec.parse(SYMMETRIC)
    found = CountByCost(puzzle, way=way).find()
    assert {row.cost: row.distinct for row in found} == counted(puzzle, False)
    assert sum(row.distinct or 0 for row in found) == 107  # Faase: the sets of pentominoes in 5x5
    assert CountByCost(puzzle, low=5, high=9, way=way).find() == [row for row in found if 5 <= row.cost <= 9]
    alone = CountByCost(puzzle, symmetry="none", way=way).find()
    assert alone == [(row.cost, row.raw, row.raw) for row in found]


@pytest.mark.long
def test_too_many_covers_are_counted_in_a_diagram_and_a_full_diagram_by_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    puzzle = puzzlec.parse(SYMMETRIC)
    wanted = CountByCost(puzzle, low=4, high=12, way="list").find()
    monkeypatch.setattr(tally, "MAX_COVERS_LISTED", 3)
    assert CountByCost(puzzle, low=4, high=12).find() == wanted
    assert CountByCost(puzzle, low=4, high=12, limits=Limits(memory=1)).find() == wanted
    monkeypatch.setattr(tally, "MAX_NODES_IN_RANGE", 3)
    assert CountByCost(puzzle, low=4, high=12).find() == wanted


def test_a_list_makes_no_diagram_and_a_full_diagram_that_was_asked_for_no_list() -> None:
    puzzle = puzzlec.parse(SYMMETRIC)
    listed = CountByCost(puzzle, symmetry="none", way="list")
    listed.find()
    search = Search(puzzlec.compile(puzzle).cover)
    search.count()
    assert listed.nodes == search.nodes
    drawn = CountByCost(puzzle, way="diagram", limits=Limits(memory=1))
    assert (drawn.find(), drawn.stopped) == ([], Stop.MEMORY)


def test_a_range_of_costs_with_exchanged_ends_is_refused_with_the_range_that_may_be_meant() -> None:
    assert read_range("4..4") == read_range("4") == (4, 4)
    with pytest.raises(ValueError, match=r"empty: did you mean `3\.\.5`"):
        read_range("5..3")


def test_a_stopped_count_and_a_puzzle_without_costs_are_errors() -> None:
    with pytest.raises(UnfinishedError, match="stopped"):
        puzzlec.count_by_cost(puzzlec.parse(SYMMETRIC), limits=Limits(seconds=0))
    with pytest.raises(PuzzleError, match="PZ719"):
        puzzlec.count_by_cost("soma")


def test_costs_of_pieces_that_fit_nowhere_give_no_solution() -> None:
    puzzle = puzzlec.parse("locations box 2x1\npiece P x0..2 { xxx }\ncost P = 1")
    assert puzzlec.count_by_cost(puzzle) == puzzlec.count_by_cost(puzzle, low=0, high=3) == []
    assert list(BestSolutions(puzzle)) == []


def test_a_cover_without_pieces_has_no_costs() -> None:
    with pytest.raises(PuzzleError, match="PZ719"):
        puzzlec.count_by_cost(puzzlec.parse("a b\n", format="dlx"))
