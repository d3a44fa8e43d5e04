"""Turns compared with samples: pairs of tetrominoes in rooms, and first separations of random cubes.

A turn that the search finds must be there in a sample with the same clearance. One that a sample finds for slightly
larger cells must be found by the search: docs/disassembly.md states this resolution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path

import pytest

from puzzlec.geometry import Cell, find_lattice
from puzzlec.motion.disassembly import Disassembler
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.moves import Body
from puzzlec.motion.replay import replay
from puzzlec.motion.search import Bounds
from puzzlec.motion.turning import DEFAULT_CLEARANCE, Turning
from puzzlec.motion.turns import Turns
from tests.commands import command
from tests.motion.plain_turns import (
    COARSE,
    FINE,
    Pair,
    PlainTurns,
    across,
    is_possible,
    near_pairs,
    pivots,
    random_cube,
    turned,
)

SQUARE, CUBIC = find_lattice("square"), find_lattice("cubic")

#: The clearance of cells that are as much larger as the search may need to spare.
SPARED = DEFAULT_CLEARANCE - 0.02

Flat = frozenset[tuple[int, int]]
#: A set of pieces that turns, twice its pivot, and the sense.
PlainTurn = tuple[frozenset[int], tuple[int, int], int]


def tetrominoes(width: int, height: int) -> list[Flat]:
    """Return all places of tetrominoes in a room."""
    room = set(product(range(width), range(height)))
    places: set[Flat] = {frozenset([cell]) for cell in room}
    for _ in range(3):
        places = {
            place | {cell} for place in places for x, y in place
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if cell in room - place
        }  # fmt: skip
    return sorted(places, key=sorted)


def pairs_of_tetrominoes(width: int, height: int) -> list[tuple[Flat, Flat]]:
    """Return all pairs of tetrominoes in a room, one of each that a symmetry of the room takes to each other."""

    def images(pair: tuple[Flat, Flat]) -> Iterator[tuple[Flat, Flat]]:
        for flips in product((False, True), (False, True), (False, True) if width == height else (False,)):
            across, down, swapped = flips
            both = []
            for place in pair:
                cells = {(width - 1 - x if across else x, height - 1 - y if down else y) for x, y in place}
                both.append(frozenset((y, x) if swapped else (x, y) for x, y in cells))
            both.sort(key=sorted)
            yield both[0], both[1]

    pairs = [pair for pair in combinations(tetrominoes(width, height), 2) if pair[0].isdisjoint(pair[1])]
    return [pair for pair in pairs if pair == min(images(pair), key=lambda both: [sorted(place) for place in both])]


def found_turns(pieces: Sequence[tuple[Cell, ...]]) -> set[PlainTurn]:
    """Return the turns of flat pieces that the search finds; the first piece rests."""
    gaps = Gaps(SQUARE)
    placed = [gaps.shape_of(piece) for piece in pieces]
    moves = Turns(gaps).moves([shape for shape, _ in placed], [place - placed[0][1] for _, place in placed])
    found = set()
    for turn, _ in moves:
        first = pieces[turn.anchor][0]
        moving = frozenset(n for n in range(len(pieces)) if turn.pieces >> n & 1)
        found.add((moving, (2 * first[0] + turn.pivot[0], 2 * first[1] + turn.pivot[1]), turn.sense))
    return found


def turns_that_end(pieces: Sequence[tuple[Cell, ...]]) -> Iterator[tuple[PlainTurn, frozenset[Pair]]]:
    """Yield the turns of flat pieces to free cells, each with the pairs of cells that may meet."""
    solid = [[(*cell, 0) for cell in piece] for piece in pieces]
    for moving in ([1], [2], [1, 2]):
        sides = [[c for n, piece in enumerate(solid) if (n in moving) == side for c in piece] for side in (True, False)]
        for pivot in pivots([across(cell, 2) for cell in sides[0] + sides[1]]):
            for sense in (1, -1):
                if set(turned(sides[0], pivot, 2, sense)).isdisjoint(sides[1]):
                    movers, others = sides[::sense]
                    yield (frozenset(moving), pivot, sense), near_pairs(movers, others, pivot, 2)


def check_pair(width: int, height: int, pair: tuple[Flat, Flat]) -> int:
    """Compare all turns of two pieces in a room with samples; return their number."""
    around = product(range(-1, width + 1), range(-1, height + 1))
    frame = tuple(cell for cell in around if not (0 <= cell[0] < width and 0 <= cell[1] < height))
    pieces = [frame, *(tuple(sorted(place)) for place in pair)]
    found, seen = found_turns(pieces), set()
    for turn, cells in turns_that_end(pieces):
        if turn in found:
            seen.add(turn)
            assert is_possible(cells, DEFAULT_CLEARANCE, COARSE), f"the search turns {turn} of {pair}"
        elif is_possible(cells, SPARED, COARSE):
            assert not is_possible(cells, SPARED, FINE), f"the search misses {turn} of {pair}"
    assert seen == found
    return len(found)


#: Sizes of rooms, each with the number of pairs of tetrominoes in it up to symmetry.
ROOMS = {(3, 4): 90, (3, 5): 315, (4, 4): 243, (4, 5): 1340, (5, 5): 1672}


@pytest.mark.long
def test_turns_of_some_pairs_of_tetrominoes_in_rooms_are_those_of_samples() -> None:
    turns = 0
    for size, number in ROOMS.items():
        pairs = pairs_of_tetrominoes(*size)
        assert len(pairs) == number
        turns += sum(check_pair(*size, pair) for pair in pairs[7::800])
    assert turns


@pytest.mark.slow
@pytest.mark.parametrize("size", ROOMS)
def test_turns_of_all_pairs_of_tetrominoes_in_rooms_are_those_of_samples(size: tuple[int, int]) -> None:
    assert sum(check_pair(*size, pair) for pair in pairs_of_tetrominoes(*size)) > 0


def bodies_of(pieces: tuple[tuple[Cell, ...], ...]) -> list[Body]:
    return [Body("ABCDE"[number], piece) for number, piece in enumerate(pieces)]


def first_separation(disassembler: Disassembler, bodies: list[Body]) -> int:
    """Return the number of moves to the first separation, 0 if there is none."""
    placed = [disassembler.gaps.shape_of(body.cells) for body in bodies]
    shapes, places = zip(*placed, strict=True)
    return disassembler.first_separations(shapes, places, Bounds()).moves


def check_cube(seed: int, side: int, pieces: int) -> tuple[int, int]:
    """Compare the first separation of a cube with that of a plain search; return it by slides alone and with turns."""
    cube = random_cube(seed, side, pieces)
    bodies, turning = bodies_of(cube), Disassembler(CUBIC, turning=Turning())
    slides, turns = (first_separation(those, bodies) for those in (Disassembler(CUBIC), turning))
    # The sample has all turns that the search finds, and for larger cells it has no others.
    least, most = (
        PlainTurns(clearance, angles, MAX_STATES).first(cube)
        for clearance, angles in ((DEFAULT_CLEARANCE, COARSE), (SPARED, FINE))
    )
    assert least == turns == most, seed
    assert turns <= slides or not slides, seed
    plan = turning.take_apart(bodies, Bounds(memory=1 << 18))
    if plan.apart:
        assert replay(CUBIC, plan.bodies, plan.steps, DEFAULT_CLEARANCE).level == plan.level, seed
    return slides, turns


#: A plain search may have this many states.
MAX_STATES = 200

#: Cubes from which no piece slides away at once, by their side, number of pieces and seed. Each has the moves to the
#: first separation by slides alone and with turns, or 0 if there is none.
CUBES = {(4, 3, 13): (0, 0), (4, 4, 3): (2, 2), (4, 4, 171): (0, 0)}


@pytest.mark.long
@pytest.mark.parametrize("cube", CUBES)
def test_first_separations_of_random_cubes_are_those_of_a_plain_search(cube: tuple[int, int, int]) -> None:
    side, pieces, seed = cube
    assert check_cube(seed, side, pieces) == CUBES[cube]


def test_a_loose_pit_of_thirty_pieces_ends_at_its_limit_and_says_how_far_it_came() -> None:
    inside = set(product(range(11), range(9), range(2)))
    around = product(range(-1, 12), range(-1, 10), range(-1, 3))
    wall = Body("wall", tuple(cell for cell in around if cell not in inside), True)
    dots = [Body("dot", ((2 * x, 2 * y, 0),)) for x, y in product(range(6), range(5))]
    pit = Disassembler(CUBIC, turning=Turning()).take_apart([wall, *dots])
    assert (pit.stopped, pit.searched, pit.apart) == ("loose", 0, False)


@pytest.mark.parametrize("options", [["--threads", "2"], ["--checkpoint", "kept", "--shard", "1/2"]])
def test_threads_and_shards_turn_pieces(
    options: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    wall = "wall { xxxxx / x...x / x.... / x...x / xxxxx } at (-2,-1)"
    Path("bar.puzzle").write_text(f"locations {{ x / x / x }}\n{wall}\npiece A {{ x / x / x }}\nturns\n")
    for _ in range(2):  # the second run reads what the first one kept
        status, printed, _ = command(capsys, monkeypatch, "disassemble", "bar.puzzle", "--steps", *options)
        assert status == 0
        assert "level 2, 2 moves, 1 turn" in printed
        assert "A: a quarter turn about (0,1), clockwise" in printed
