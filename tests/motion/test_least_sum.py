"""Plans with the least sum of moves, compared with a plain search over all plans."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from puzzlec import parse
from puzzlec.disassembling import disassemble
from puzzlec.geometry import find_lattice
from puzzlec.motion import least_sum
from puzzlec.motion.disassembly import Disassembler
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.least_sum import LeastSums
from puzzlec.motion.moves import Body
from puzzlec.motion.replay import replay
from puzzlec.motion.search import Bounds, Reach, first_separations
from tests.commands import command
from tests.motion.plain_search import Pieces, interlocking_assembly, plain_least_sum, random_assembly
from tests.motion.test_disassembly import BURRS, burr, drawn


def some_assembly(name: str, seed: int) -> Pieces:
    """Return a random assembly on a lattice."""
    random, lattice = Random(seed), find_lattice(name)
    if random.random() < 0.5:
        return random_assembly(lattice, random, random.randrange(6, 40), random.choice((3, 4, 4, 5)))
    return interlocking_assembly(lattice, random, random.randrange(20, 60))


@pytest.mark.parametrize("name", ["square", "hex", "triangle", "cubic", "prism", "fcc"])
@pytest.mark.long
def test_the_sum_is_the_least_that_a_plain_search_finds(name: str) -> None:
    lattice, compared = find_lattice(name), 0
    known, sums = Disassembler(lattice), LeastSums(lattice)
    for seed in range(100):
        pieces = some_assembly(name, seed)
        bodies = [Body(str(number), cells) for number, cells in enumerate(pieces)]
        first = known.take_apart(bodies, Bounds(None, 10**6))
        if first.stopped or (first.apart and (first.moves == len(pieces) - 1 or first.moves > 15)):
            continue
        found = sums.take_apart(bodies)
        assert (found.moves if found.apart else None) == plain_least_sum(lattice, pieces), seed
        if found.apart:
            assert found.moves <= first.moves
            replayed = replay(lattice, bodies, found.steps)
            assert (replayed.level, replayed.parts) == (found.level, found.parts)
        compared += 1
        if compared == 5:
            return
    assert compared


def test_no_plan_outside_the_two_rules_has_fewer_moves() -> None:
    lattice, compared = find_lattice("square"), 0
    sums = LeastSums(lattice)
    for seed in range(1000):
        random = Random(seed)
        pieces = interlocking_assembly(lattice, random, random.randrange(16, 36))
        found = sums.take_apart([Body(str(number), cells) for number, cells in enumerate(pieces)])
        if found.apart and len(pieces) in (3, 4) and len(pieces) <= found.moves <= len(pieces) + 1:
            assert plain_least_sum(lattice, pieces, stops=2) == found.moves, seed
            compared += 1
        if compared == 30:
            return
    assert compared


#: Assemblies whose least level does not have the least sum: lattice, seed, and both levels with their sums.
BETTER = [
    ("square", 1792, "2.3", 5, "3", 4),
    ("cubic", 12319, "1.2.3", 6, "1.3", 5),
    ("square", 34008, "3.4", 7, "4", 5),
]


@pytest.mark.parametrize(("name", "seed", "level", "moves", "sum_level", "least"), BETTER)
def test_the_least_sum_may_need_another_level(
    name: str, seed: int, level: str, moves: int, sum_level: str, least: int
) -> None:
    lattice, random = find_lattice(name), Random(seed)
    if random.random() < 0.6:
        pieces = random_assembly(lattice, random, random.choice((16, 25, 27, 36)), random.choice((4, 5, 6)))
    else:
        pieces = interlocking_assembly(lattice, random, random.randrange(30, 80))
    bodies = [Body(str(number), cells) for number, cells in enumerate(pieces)]
    first, found = (kind(lattice).take_apart(bodies) for kind in (Disassembler, LeastSums))
    assert (first.text, first.moves, found.text, found.moves) == (level, moves, sum_level, least)
    assert plain_least_sum(lattice, pieces) == least
    assert replay(lattice, bodies, found.steps).level == found.level
    shuffled = random.sample(bodies, len(bodies))
    assert LeastSums(lattice).take_apart(shuffled).level == found.level


def test_the_larger_of_two_sides_comes_apart_first_also_if_it_is_the_one_that_moves() -> None:
    bodies = drawn(
        "....B...",
        "....B...",
        "...BBB..",
        ".BBBA..B",
        "..BBBB..",
        "....BB..",
        "........",
        "...C....",
        ".CC.....",
        ".CC.....",
        "CCEE.CCC",
        "CCCDCC..",
        ".CCCC...",
        "..CC....",
    )
    found = LeastSums(find_lattice("square")).take_apart(bodies)
    assert (found.text, found.moves) == ("1.3.2", 7)
    assert replay(find_lattice("square"), bodies, found.steps).level == found.level


@pytest.mark.parametrize("name", ["square", "cubic", "fcc"])
@pytest.mark.parametrize("singles", [True, False])
def test_the_kernel_finds_all_separations_that_the_search_in_python_finds(name: str, singles: bool) -> None:
    compiled = pytest.importorskip("puzzlec.motion.compiled")
    gaps, several = Gaps(find_lattice(name)), 0
    fast = compiled.CompiledSearch(gaps)
    for seed in range(15):
        shapes, places = zip(*[gaps.shape_of(cells) for cells in some_assembly(name, seed)], strict=True)
        reach = Reach(3, singles)
        expected = first_separations(gaps, shapes, places, Bounds(), None, reach)
        assert fast.first_separations(shapes, places, Bounds(), reach) == expected, seed
        several += len(expected.goals) > 1
    assert several or singles


def test_a_limit_leaves_the_plan_of_the_least_level_with_a_remark() -> None:
    class Hurried(LeastSums):
        def first_separations(self, shapes, places, bounds, reach=None):  # type: ignore[no-untyped-def]
            if reach is not None:
                bounds.deadline = 0.0
            return super().first_separations(shapes, places, bounds, reach)

    sticks, _, _ = BURRS[1]
    (bodies,) = [result.disassembly.bodies for result in disassemble(parse(burr(sticks))) if result.disassembly.apart]
    found = Hurried(find_lattice("cubic")).take_apart(bodies)
    assert (found.text, found.moves, found.stopped) == ("6.4", 13, "time")


def test_too_many_loose_pieces_leave_the_plan_of_the_least_level(monkeypatch: pytest.MonkeyPatch) -> None:
    room = drawn("aa.a", "ab.a", "aaaa")
    rooms = [body._replace(cells=tuple((x + 9 * k, y) for x, y in body.cells)) for k in range(2) for body in room]
    square = find_lattice("square")
    first = Disassembler(square).take_apart(rooms)
    monkeypatch.setattr(least_sum, "closed_sets", lambda closures, full: None)
    found = LeastSums(square).take_apart(rooms)
    assert (found.text, found.moves, found.stopped) == (first.text, first.moves, "loose")


def test_groups_stay_together_with_the_least_sum_also() -> None:
    linked = drawn("aaaa.", "abb.a", "a.ba.", "aaaab", "..bbb")
    sums = LeastSums(find_lattice("square"), [{"a": 1, "b": 1}])
    assert (sums.take_apart(linked).parts, sums.take_apart(linked).moves) == (((0, 1),), 0)
    assert not LeastSums(find_lattice("square")).take_apart(linked).apart


def test_the_command_prints_least_sums(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sticks, _, _ = BURRS[1]
    (tmp_path / "burr.puzzle").write_text(burr(sticks), encoding="utf-8")
    status, out, _ = command(capsys, monkeypatch, "disassemble", str(tmp_path / "burr.puzzle"), "--least-sum")
    assert (status, out) == (0, "assembly 1: level 6.4, 13 moves\n")
