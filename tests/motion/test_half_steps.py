"""Half steps: compared with cells that are divided, with a plain search, and with the checker."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.geometry.faces import exact_outline, scale_of
from puzzlec.geometry.lattice import HALF_STEPS, in_parts, lattices, neighbours
from puzzlec.jobs.disassemblies import KeptDisassemblies
from puzzlec.motion.disassembly import Disassembler
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.moves import Body
from puzzlec.motion.obstacles import why_not
from puzzlec.motion.replay import ReplayError, replay
from puzzlec.motion.turning import DEFAULT_CLEARANCE, Turning
from puzzlec.motion.turns import Turns
from tests.commands import command

HALF = Fraction(1, 2)

#: A piece of two quarter squares, which fits through gaps that are half a step away from its positions.
DIAMOND = """puzzle "Diamond in a room"
lattice tetrakis
locations cells (0,0,2) (0,1,0)
wall cells (-1,0,1) (0,-1,2) (1,-1,2) (0,2,0) (1,2,0) (2,1,3)
piece A cells (0,0,2) (0,1,0)
"""


def taken(text: str, step: Fraction = HALF, **more: object) -> puzzlec.Taken:
    return next(puzzlec.disassemble(puzzlec.parse(text), step=step, **more))  # type: ignore[arg-type]


def random_bodies(rng: random.Random, lattice: Lattice, size: int) -> list[Body]:
    """Return two to four connected pieces in a box, in a frame with some openings; some cells stay empty."""
    kinds = [(kind,) * (len(lattice.kinds) > 1) for kind in range(len(lattice.kinds))]
    box = {(*at, *kind) for at in product(range(size), repeat=lattice.dimension) for kind in kinds}
    frame = {cell for inner in box for cell in neighbours(inner, lattice)} - box
    wall = sorted(frame)
    rng.shuffle(wall)
    bodies, free = [Body("wall", tuple(wall[rng.randint(1, len(wall) // 2) :]), True)], set(box)
    for name in "ABC"[: rng.randint(1, 3)]:
        cells = [rng.choice(sorted(free))]
        for _ in range(rng.randint(1, max(1, len(box) // 3))):
            beside = sorted({cell for mine in cells for cell in neighbours(mine, lattice)} & free - set(cells))
            if beside:
                cells.append(rng.choice(beside))
        free -= set(cells)
        bodies.append(Body(name, tuple(cells)))
        if not free:
            break
    return bodies


def divided(body: Body) -> Body:
    """Return a body of squares or cubes with each cell divided into those of half the size."""
    size = len(body.cells[0])
    cells = [tuple([2 * a + b for a, b in zip(cell, part, strict=True)])
             for cell in body.cells for part in product((0, 1), repeat=size)]  # fmt: skip
    return body._replace(cells=tuple(cells))


@pytest.mark.parametrize(("name", "size"), [("line", 6), ("square", 4), ("cubic", 3)])
def test_levels_are_those_of_divided_cells_and_free_what_whole_steps_free(name: str, size: int) -> None:
    lattice, rng = find_lattice(name), random.Random(f"half {name}")
    halves, smaller, whole = Disassembler(lattice, step=HALF), Disassembler(lattice), Disassembler(lattice)
    apart = 0
    for _ in range(60):
        bodies = random_bodies(rng, lattice, size)
        found = halves.take_apart(bodies)
        assert found.level == smaller.take_apart(list(map(divided, bodies))).level
        assert found.apart == whole.take_apart(bodies).apart
        apart += found.apart
    assert 5 < apart < 60 or name == "line"


@pytest.mark.parametrize("name", HALF_STEPS)
def test_the_checker_accepts_each_plan_and_half_steps_never_make_it_worse(name: str) -> None:
    lattice, rng = find_lattice(name), random.Random(f"plans {name}")
    halves, whole, plans = Disassembler(lattice, step=HALF), Disassembler(lattice), 0
    for _ in range(4 if lattice.dimension > 2 else 20):
        bodies = random_bodies(rng, lattice, 2 if lattice.dimension > 2 else 3)
        found, before = halves.take_apart(bodies), whole.take_apart(bodies)
        if before.level is not None:
            assert found.level is not None
            assert found.level[0] <= before.level[0]
        if found.apart:
            plans += 1
            replayed = replay(*found.in_parts())
            assert (replayed.level, replayed.parts) == (found.level, found.parts)
    assert plans


def overlap(lattice: Lattice, one: Cell, other: Cell, way: tuple[Fraction, ...]) -> bool:
    """Return whether a flat cell that is moved by a vector between points overlaps another one, by their corners."""
    scale = scale_of(lattice)
    shapes = []
    for cell, by in ((one, way), (other, (Fraction(0),) * 2)):
        kind, at = cell[-1] if len(lattice.kinds) > 1 else 0, lattice.point(cell)
        corners = [[Fraction(v, scale) + a + b for v, a, b in zip(corner, at, by, strict=True)]
                   for corner in exact_outline(lattice, kind)]  # fmt: skip
        shapes.append(corners)
    for corners in shapes:
        for (ax, ay), (bx, by_) in pairwise([*corners, corners[0]]):
            sides = [[(bx - ax) * (y - ay) - (by_ - ay) * (x - ax) for x, y in shape] for shape in shapes]
            if max(sides[0]) <= min(sides[1]) or max(sides[1]) <= min(sides[0]):
                return False
    return True


def escapes(lattice: Lattice, piece: tuple[Cell, ...], wall: tuple[Cell, ...], unit: Fraction) -> bool:
    """Return whether a piece can get far away by moves of a unit along squares, each made in eight small steps."""
    known: set[tuple[Fraction, ...]] = {(Fraction(0),) * 2}
    todo = list(known)
    side = lattice.translations[0][0]
    for at in todo:
        if max(map(abs, at)) > 6 * side:
            return True
        for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            small = [tuple([a + unit * side * w * Fraction(k, 8) for a, w in zip(at, way, strict=True)])
                     for k in range(1, 9)]  # fmt: skip
            if small[-1] in known:
                continue
            if not any(overlap(lattice, cell, other, by) for by in small for cell in piece for other in wall):
                known.add(small[-1])
                todo.append(small[-1])
    return False


@pytest.mark.long
def test_a_piece_leaves_only_by_half_steps() -> None:
    whole, halves = taken(DIAMOND, Fraction(1)).disassembly, taken(DIAMOND)
    assert not whole.apart
    assert (halves.disassembly.text, next(step.distance for step in halves.disassembly.steps)) == ("2", HALF)
    halves.check()
    wall, piece = (body.cells for body in whole.bodies)
    assert [escapes(whole.lattice, piece, wall, unit) for unit in (Fraction(1), HALF)] == [False, True]


def test_the_checker_refuses_an_edited_plan() -> None:
    found = taken(DIAMOND).disassembly
    lattice, bodies, steps = found.in_parts()
    with pytest.raises(ReplayError, match="overlap in move 1"):
        replay(lattice, bodies, steps[1:])
    with pytest.raises(ReplayError, match="ends between two positions"):
        replay(found.lattice, found.bodies, found.steps)


def test_turns_end_between_positions_and_the_checker_accepts_them() -> None:
    """A bar of two turns about the middle of itself; cells in layers half a cell apart can meet."""
    lattice = in_parts(find_lattice("cubic"), 2)
    gaps = Gaps(lattice)
    bar, post = ((0, 0, 0), (2, 0, 0)), ((8, 0, 0),)
    shapes, places = zip(*[gaps.shape_of(cells) for cells in (post, bar)], strict=True)
    turns, start = Turns(gaps), [place - places[0] for place in places]
    middles = {turn.pivot for turn, _ in turns.moves(shapes, start) if turn.plane == 2}
    assert {(1, 1), (2, 0), (3, 1)} <= middles  # in halves of a half cell from the middle of the first cell
    layers = [len(list(turns.near(2, shapes[0], shapes[0], (0, 0, height)))) for height in (0, 1, 2)]
    assert layers == [1, 1, 0]


@pytest.mark.parametrize("name", ["turns/cube-3-of-3"])
def test_a_plan_with_turns_is_no_worse_and_is_accepted(name: str) -> None:
    halves, whole = (next(puzzlec.disassemble(name, step=step)) for step in (0.5, 1))
    halves.check()
    assert halves.disassembly.level is not None
    assert whole.disassembly.level is not None
    assert halves.disassembly.level[0] <= whole.disassembly.level[0]


def test_a_flat_bar_turns_by_half_steps() -> None:
    rows = "lattice square\nlocations { x / x / x }\nwall { xxxxx / x...x / x.... / x...x / xxxxx } at (-2,-1)\n"
    halves = taken(rows + "piece A { x / x / x }\nturns\n")
    halves.check()
    assert (halves.disassembly.text, halves.disassembly.turns) == ("2", 1)
    assert Turning(DEFAULT_CLEARANCE) == halves.disassembly.turning


def test_results_are_kept_with_their_fractions(tmp_path: Path) -> None:
    found = taken(DIAMOND).disassembly
    with KeptDisassemblies(tmp_path, {}, step=HALF) as kept:
        kept.keep(found)
        assert kept.find(found.lattice, found.bodies) == found
    with pytest.raises(PuzzleError) as error, KeptDisassemblies(tmp_path, {}):
        pass
    assert "`step` differ" in str(error.value.diagnostics[0].notes)


def test_what_blocks_a_piece_is_in_whole_and_half_steps() -> None:
    text = "lattice square\nlocations { x }\nwall { xxxx / x..x / xxxx } at (-1,-1)\npiece A { x }\n"
    hold = why_not(taken(text).disassembly)
    assert hold is not None
    assert {block.direction: block.steps for block in hold.blocks}[1, 0] == 1


def test_a_graph_of_states_is_refused() -> None:
    with pytest.raises(ValueError, match="whole steps only"):
        puzzlec.state_graph(taken(DIAMOND))


@pytest.mark.parametrize("step", [0, 2, Fraction(1, 7), -0.5, "1/0", float("nan")])
def test_another_step_is_refused(step: float | Fraction) -> None:
    with pytest.raises(ValueError, match="step must be 1 or 1/2"):
        next(puzzlec.disassemble(puzzlec.parse(DIAMOND), step=step))


@pytest.mark.parametrize("name", sorted({lattice.name for lattice in lattices()} - set(HALF_STEPS)))
def test_other_lattices_are_refused(name: str) -> None:
    kind = ",0" if len(find_lattice(name).kinds) > 1 else ""
    cells = [f"({at}{',0' * (find_lattice(name).dimension - 1)}{kind})" for at in (0, 1)]
    text = f"lattice {name}\nlocations cells {' '.join(cells)}\npiece A cells {cells[0]}\npiece B cells {cells[1]}\n"
    with pytest.raises(PuzzleError) as error:
        taken(text)
    assert error.value.diagnostics[0].code == "PZ721"


def test_the_command_prints_fractions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "diamond.puzzle"
    file.write_text(DIAMOND)

    def run(*options: str) -> tuple[int, str, str]:
        return command(capsys, monkeypatch, "disassemble", str(file), *options)

    assert "by 1/2\n" in run("--step", "1/2", "--steps")[1]
    data = json.loads(run("--step", "1/2", "--json")[1].splitlines()[0])
    assert (data["step"], data["steps"][0]["distance"]) == (0.5, 0.5)
    assert "step" not in json.loads(run("--all", "--json")[1].splitlines()[0])
    for wrong in ("0", "1/0", "2", "1/7", "half"):
        status, _, said = run("--step", wrong)
        assert (status, f"step must be 1 or 1/2, not {wrong}" in said) == (2, True)
    status, _, said = run("--step", "1/2", "--graph", str(tmp_path / "x.json"))
    assert (status, "leave out `--step 1/2`" in said) == (2, True)


def test_a_file_for_burrtools_has_no_half_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """XMPuzzle has no half steps: a plan with one is left out, and a plan of whole moves is not."""
    from puzzlec.formats.burrtools.assemblies import is_strange
    from puzzlec.motion.moves import Step

    assert [is_strange(Step((0,), (1, 0, 0), distance, False)) for distance in (1, HALF)] == [False, True]
    target = tmp_path / "soma.xmpuzzle"
    status, _, said = command(
        capsys, monkeypatch, "disassemble", "soma", "--step", "1/2", "--best", "1", "-o", str(target)
    )
    assert (status, "left out" in said, "<separation" in target.read_text()) == (0, False, True)
