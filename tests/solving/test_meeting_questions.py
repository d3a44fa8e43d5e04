"""Questions about puzzles with rules about how pieces meet, against tilings that the test lists and judges itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest

import puzzlec
from puzzlec import PuzzleError

WIDTH, HEIGHT = 4, 3
TEXT = f"locations box {WIDTH}x{HEIGHT}\npiece D x0..6 {{ xx }}\npiece S x0..4 {{ x }}\n"
CELLS = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]

Tile = frozenset[tuple[int, int]]
Tiling = frozenset[Tile]


def tilings(free: frozenset[tuple[int, int]] = frozenset(CELLS)) -> Iterator[Tiling]:
    """Yield the tilings of the board with dominoes and at most four single cells."""
    if not free:
        yield frozenset()
        return
    x, y = min(free)
    for tile in ({(x, y)}, {(x, y), (x + 1, y)}, {(x, y), (x, y + 1)}):
        for rest in tilings(free - tile) if tile <= free else ():
            if (tiling := rest | {frozenset(tile)}) and sum(len(one) == 1 for one in tiling) <= 4:
                yield tiling


def owner(tiling: Tiling) -> dict[tuple[int, int], Tile]:
    return {cell: tile for tile in tiling for cell in tile}


def is_without_crossroads(tiling: Tiling) -> bool:
    at = owner(tiling)
    return all(
        len({at[x, y], at[x + 1, y], at[x, y + 1], at[x + 1, y + 1]}) < 4
        for x in range(WIDTH - 1)
        for y in range(HEIGHT - 1)
    )


def is_without_faults(tiling: Tiling) -> bool:
    wide = {min(x for x, _ in tile) for tile in tiling if len({x for x, _ in tile}) == 2}
    high = {min(y for _, y in tile) for tile in tiling if len({y for _, y in tile}) == 2}
    return len(wide) == WIDTH - 1 and len(high) == HEIGHT - 1


def keeps_single_cells_apart(tiling: Tiling) -> bool:
    single = {cell for tile in tiling if len(tile) == 1 for cell in tile}
    return not any((x + 1, y) in single or (x, y + 1) in single for x, y in single)


def moved(tiling: Tiling, motion: Callable[[int, int], tuple[int, int]]) -> Tiling:
    return frozenset(frozenset(motion(x, y) for x, y in tile) for tile in tiling)


MOTIONS: list[Callable[[int, int], tuple[int, int]]] = [
    lambda x, y: (x, y),
    lambda x, y: (WIDTH - 1 - x, y),
    lambda x, y: (x, HEIGHT - 1 - y),
    lambda x, y: (WIDTH - 1 - x, HEIGHT - 1 - y),
]

RULES: dict[str, Callable[[Tiling], bool]] = {
    "no crossroads": is_without_crossroads,
    "no faults": is_without_faults,
    "apart S": keeps_single_cells_apart,
    "symmetric half-turn": lambda tiling: moved(tiling, MOTIONS[3]) == tiling,
    "symmetric mirror x": lambda tiling: moved(tiling, MOTIONS[1]) == tiling,
}


def used(tiling: Tiling) -> tuple[int, int]:
    """Return the numbers of dominoes and of single cells."""
    return sum(len(tile) == 2 for tile in tiling), sum(len(tile) == 1 for tile in tiling)


@pytest.fixture(params=RULES)
def rule(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def expected(rule: str) -> set[Tiling]:
    return {tiling for tiling in tilings() if RULES[rule](tiling)}


def orbits(some: set[Tiling]) -> set[frozenset[Tiling]]:
    return {frozenset(moved(tiling, motion) for motion in MOTIONS) for tiling in some}


def number_left(some: set[Tiling], clues: Tiling) -> int:
    """Return the number of tilings with these tiles, up to the motions that keep the tiles."""
    keeping = [motion for motion in MOTIONS if moved(clues, motion) == clues]
    return len({frozenset(moved(one, motion) for motion in keeping) for one in some if clues <= one})


def test_sets_of_pieces_have_the_solutions_that_obey_the_rule(rule: str) -> None:
    raw = Counter(map(used, expected(rule)))
    distinct = Counter(used(next(iter(orbit))) for orbit in orbits(expected(rule)))
    sets = {
        (pieces.get("D", 0), pieces.get("S", 0)): (one.raw, one.distinct)
        for one in puzzlec.sets(puzzlec.parse(TEXT + rule))
        for pieces in [dict(one.pieces)]
    }
    assert sets == {which: (number, distinct[which]) for which, number in raw.items()}
    assert sets


def test_a_certificate_proves_the_number_of_solutions_that_obey_the_rule(rule: str, tmp_path: Path) -> None:
    puzzle = puzzlec.parse(TEXT + rule)
    puzzlec.write_certificate(puzzle, tmp_path / "meeting.cert")
    proof = puzzlec.check_certificate(tmp_path / "meeting.cert", puzzle)
    assert (proof.claims["raw"], proof.claims["distinct"]) == (len(expected(rule)), len(orbits(expected(rule))))
    assert proof.puzzle


def test_a_certificate_without_the_rule_is_no_certificate_of_the_puzzle(rule: str, tmp_path: Path) -> None:
    puzzlec.write_certificate(puzzlec.parse(TEXT), tmp_path / "plain.cert")
    with pytest.raises(PuzzleError):
        puzzlec.check_certificate(tmp_path / "plain.cert", puzzlec.parse(TEXT + rule))


def test_the_fewest_clues_leave_one_solution_that_obeys_the_rule(rule: str) -> None:
    (clued,) = puzzlec.clues(puzzlec.parse(TEXT + rule))
    some = expected(rule)
    tiles = {tile for tiling in some for tile in tiling}
    assert number_left(some, frozenset(frozenset(clue.at) for clue in clued.clues)) == 1  # type: ignore[arg-type]
    for number in range(len(clued.clues)):
        assert all(number_left(some, frozenset(clues)) != 1 for clues in combinations(tiles, number))


def test_an_explanation_has_the_number_of_solutions_that_obey_the_rule(rule: str) -> None:
    text = puzzlec.explain(puzzlec.parse(TEXT + rule))
    raw = re.search(r"solutions +(\d+) raw", text)
    assert raw is not None
    assert int(raw[1]) == len(expected(rule))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("locations box 2x2\npiece S x4 { x }\nno crossroads", "cannot satisfy `no crossroads`"),
        ("locations box 2x1\npiece S x2 { x }\napart S", "cannot satisfy `apart S`"),
        ("locations box 3x2\npiece S x2 { x }\npiece D x2 { xx }\nsymmetric quarter-turn", "does not support"),
        ("locations box 4x2\npiece D x4 { xx }\nfix D at cells (0,0) (1,0)\nno faults", ""),
    ],
)
def test_an_explanation_names_the_rule_that_leaves_no_solution(text: str, reason: str) -> None:
    report = puzzlec.Report()
    try:
        puzzlec.check(puzzlec.parse(text), report=report)
        messages = [diagnostic.message for diagnostic in report.diagnostics]
    except PuzzleError as error:
        messages = [diagnostic.message for diagnostic in error.diagnostics]
    assert any(reason in message for message in messages) == bool(reason)
    assert reason or int(puzzlec.count(puzzlec.parse(text))) == 0
