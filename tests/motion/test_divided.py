"""One assembly that several threads search: states, plans and limits are those of one thread."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from random import Random
from threading import Barrier, get_ident

import pytest

from puzzlec import parse
from puzzlec.disassembling import disassemble
from puzzlec.engine.limits import Stop
from puzzlec.geometry import find_lattice
from puzzlec.motion.disassembly import Disassembler
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.moves import Body
from puzzlec.motion.search import Bounds, Reach, SearchStoppedError, first_separations
from puzzlec.motion.team import ITEMS_PER_THREAD, Team
from puzzlec.motion.turn_search import TurnSearch
from puzzlec.motion.turning import Turning
from tests.motion.plain_search import Pieces, random_assembly
from tests.motion.test_disassembly import BURRS, SQUARE, burr

compiled = pytest.importorskip("puzzlec.motion.compiled")

#: Dots in a frame reach many states, and never come apart.
FRAME = [(x, y) for x in range(7) for y in range(7) if x in (0, 6) or y in (0, 6)]
OPEN = [cell for cell in FRAME if cell != (6, 3)]


@pytest.fixture(autouse=True)
def small_fronts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide small fronts also, add states often, and use the kernel from the start."""
    monkeypatch.setattr("puzzlec.motion.disassembly._patience", lambda: 0)
    monkeypatch.setattr(compiled, "MIN_FRONT_STATES", 2)
    monkeypatch.setattr(compiled, "MAX_SHARE_STATES", 7)


def some_assemblies() -> list[tuple[str, Pieces]]:
    """Ten assemblies on several lattices: loose dots, and pieces that hold together for some moves."""
    dots = [[(1, 1)], [(3, 2)], [(4, 4), (5, 4)]]
    found: list[tuple[str, Pieces]] = [
        ("square", tuple(tuple(piece) for piece in (border, *dots))) for border in (FRAME, OPEN)
    ]
    for name in ("square", "cubic", "triangle", "fcc"):
        random = Random(7)
        found += [(name, random_assembly(find_lattice(name), random, 27, 5)) for _ in range(2)]
    return found


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("reach", [None, Reach(3, False)])
@pytest.mark.long
def test_any_number_of_threads_finds_the_states_of_one_thread(number: int, reach: Reach | None) -> None:
    name, pieces = some_assemblies()[number]
    gaps = Gaps(find_lattice(name))
    shapes, places = zip(*[gaps.shape_of(cells) for cells in pieces], strict=True)
    expected, states = first_separations(gaps, shapes, places, Bounds(), None, reach), set[tuple[int, int]]()
    for threads in (1, 2, 3):
        bounds = Bounds()
        with Team(threads) as team, team.one_at_work():
            search = compiled.CompiledSearch(gaps, team)
            assert search.first_separations(shapes, places, bounds, reach) == expected
        states.add(bounds.reached)
    bounds = Bounds()
    assert compiled.CompiledSearch(gaps).first_separations(shapes, places, bounds, reach) == expected
    assert states == {bounds.reached}


def test_several_threads_stop_at_the_limits_of_one() -> None:
    gaps = Gaps(SQUARE)
    pieces = [FRAME, [(2, 2)], [(4, 4)], [(5, 1), (5, 2)]]
    shapes, places = zip(*[gaps.shape_of(cells) for cells in pieces], strict=True)
    many = [FRAME, *([(x, y)] for x in range(1, 6) for y in range(1, 6, 2))]
    loose, spots = zip(*[gaps.shape_of(cells) for cells in many], strict=True)
    cases = [((shapes, places), {"memory": size}) for size in range(1_000, 200_000, 19_000)]
    cases += [((shapes, places), {"deadline": 0}), ((loose, spots), {})]
    for those, limits in cases:
        stops = set()
        for threads in (1, 2, 3):
            with Team(threads) as team, team.one_at_work(), pytest.raises(SearchStoppedError) as stopped:
                compiled.CompiledSearch(gaps, team if threads > 1 else None).first_separations(
                    *those,
                    Bounds(**limits),  # type: ignore[arg-type]
                )
            stops.add((stopped.value.limit, stopped.value.moves))
        assert len(stops) == 1, (limits, stops)


@pytest.mark.parametrize("least_sum", [False, True])
def test_json_is_the_same_for_any_number_of_threads(least_sum: bool) -> None:
    for sticks, _, _ in BURRS[:3]:
        puzzle = parse(burr(sticks))
        found = [
            json.dumps([result.as_dict() for result in disassemble(puzzle, threads=threads, least_sum=least_sum)])
            for threads in (1, 2, 3)
        ]
        assert found[0] == found[1] == found[2]


def test_only_idle_threads_help() -> None:
    with Team(3) as team, team.one_at_work():
        with team.helpers() as free, team.helpers() as none:
            assert (free, none) == (2, 0)
        with team.one_at_work(), team.one_at_work(), team.helpers() as free:
            assert free == 0
        assert team.results([partial(int, text) for text in "123"]) == [1, 2, 3]


def test_an_error_in_a_thread_is_raised() -> None:
    with Team(2) as team, pytest.raises(ZeroDivisionError):
        team.results([lambda: 1, lambda: 1 // 0])


def test_bodies_are_taken_apart_with_help() -> None:
    bodies = [
        Body(str(number), tuple(cells)) for number, cells in enumerate([OPEN, [(1, 1)], [(2, 2)], [(4, 4), (5, 4)]])
    ]
    with Team(2) as team, team.one_at_work():
        found = Disassembler(SQUARE, team=team).take_apart(bodies)
    assert found == Disassembler(SQUARE).take_apart(bodies)
    assert found.apart


def test_results_come_in_the_order_of_the_items_and_no_item_is_made_early() -> None:
    made = []

    def numbers() -> Iterator[int]:
        for number in range(100):
            made.append(number)
            yield number

    with Team(3) as team:
        results = team.spread(str, numbers(), helpers=2)
        assert next(results) == "0"
        assert len(made) == 3 * ITEMS_PER_THREAD
        assert list(results) == [str(number) for number in range(1, 100)]


def test_the_items_of_a_team_are_divided_among_its_threads() -> None:
    together, threads = Barrier(3, timeout=20), set[int]()

    def meet(_: object) -> None:
        together.wait()  # it waits until three threads are here at once
        threads.add(get_ident())

    with Team(3) as team:
        assert list(team.spread(meet, range(6), helpers=2)) == [None] * 6
    assert len(threads) == 3


#: A frame with a door, a bar that turns and leaves, and a dot in its way.
ROOM = [[(x, y) for x in range(5) for y in range(5) if x in (0, 4) or y in (0, 4)], [(1, 1), (2, 1)], [(3, 3)]]


@pytest.mark.parametrize("door", [None, (4, 2)])
@pytest.mark.parametrize("fewest", [False, True])
@pytest.mark.long
def test_threads_that_test_turns_find_the_plans_of_one(door: tuple[int, int] | None, fewest: bool) -> None:
    pieces = [[cell for cell in cells if cell != door] for cells in ROOM]
    results = []
    for threads in (1, 3):
        gaps, bounds = Gaps(SQUARE), Bounds()
        shapes, places = zip(*[gaps.shape_of(cells) for cells in pieces], strict=True)
        with Team(threads) as team, team.one_at_work():
            search = TurnSearch(gaps, Turning(fewest=fewest), team if threads > 1 else None)
            results.append((search.first_separations(shapes, places, bounds), bounds.reached))
    assert results[0] == results[1]
    assert bool(results[0][0].goals) == (door is not None)


def test_a_search_with_turns_in_threads_ends_at_its_limits() -> None:
    gaps = Gaps(SQUARE)
    shapes, places = zip(*[gaps.shape_of(cells) for cells in ROOM], strict=True)
    ends = []
    for threads in (1, 3):
        with Team(threads) as team, team.one_at_work(), pytest.raises(SearchStoppedError) as stopped:
            TurnSearch(gaps, team=team).first_separations(shapes, places, Bounds(memory=20_000))
        ends.append((stopped.value.limit, stopped.value.moves))
    assert ends[0] == ends[1]
    with Team(3) as team, team.one_at_work(), pytest.raises(SearchStoppedError) as stopped:
        TurnSearch(gaps, team=team).first_separations(shapes, places, Bounds(time.monotonic() + 0.05))
    assert stopped.value.limit is Stop.SECONDS
