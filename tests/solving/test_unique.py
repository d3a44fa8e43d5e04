"""Fewest clues, compared with every set of clues, written as text and counted one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations, product

import pytest

import puzzlec
from puzzlec import Limits, PuzzleError, UnfinishedError
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.solving import unique as module
from puzzlec.solving.fewest_clues import Clues, ClueSearchStoppedError, FewestClues
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.unique import Unique

TRAY = """locations box 5x5
piece I { xxxxx }
piece L { xxxx/x... }
piece P { xx/xx/x. }
piece W { x../xx./.xx }
piece Y { xxxx/.x.. }
"""
#: Copies, pieces that a reflection exchanges, optional locations, and names without geometry.
SMALL = {
    # A clue may leave a solution and its mirror image, which no symmetry of the clue joins.
    "row": "locations box 4x1\npiece A x0..1 { xx }\npiece B x0..1 { xx }\npiece C x0..2 { x.x }\n",
    "dominoes": "locations box 3x2\npiece D x3 { xx }\n",
    "copies": "locations box 4x3\npiece L x2 { xxx/x.. }\npiece O { xx/xx }\n",
    "mirrored": "locations box 4x3\npiece S one-sided { x../xxx }\npiece Z one-sided { ..x/xxx }\npiece D x2 { xx }\n",
    "pair": "locations box 3x3\npiece V { xx/x. }\npiece W { xx/x. }\npiece I { xxx }\n",
    "choice": "locations box 4x2\npiece I x0..1 { xxxx }\npiece L x0..2 { xxx/x.. }\npiece O x0..2 { xx/xx }\n",
    "bare": "optional locations box 3x3\nempty 2\npiece I { xxx }\npiece O { xx/xx }\n",
    "loose": "locations box 3x1\noptional locations box 3x2 at (0,1)\npiece V x1..2 { xx/x. }\npiece I x0..1 { xxx }\n",
    "tatami": "locations box 3x2\npiece D x1..3 { xx }\npiece T x0..2 { x }\nno crossroads\n",
    "faultless": "locations box 4x3\npiece L x2 { xxx/x.. }\npiece D x2 { xx }\nno faults\n",
    "apart": "locations box 4x2\npiece L { xxx/x.. }\npiece T x2 { x }\npiece D { xx }\napart T\n",
    "touching": "locations box 3x3\npiece V { xx/x. }\npiece I { xxx }\npiece D { xx }\npiece T { x }\ntouching D T\n",
    "symmetric": "locations box 4x3\npiece L x2 { xxx/x.. }\npiece D x2 { xx }\nsymmetric half-turn\n",
    "none": "lattice none\nlocations names a b c d\n"
    "piece p covers {a b} {b c} {c d}\npiece q x2 covers {a} {b} {c} {d}\n",
}


Placed = tuple[str, frozenset[str]]


class Brute:
    """All sets of clues of a small puzzle, tried one by one, with separate symmetries.

    The board is a rectangle, or has no geometry. A reflection exchanges the pieces S and Z.
    """

    def __init__(self, text: str, kind: str, target: int, raw: bool) -> None:
        self.puzzle, self.kind, self.target, self.raw = puzzlec.parse(text), kind, target, raw
        self.solutions = [
            frozenset(
                Counter(
                    (
                        one.fitting.piece_name(placement.number),
                        frozenset(one.fitting.location_name(k) for k in placement.locations),
                    )
                    for placement in one.placements
                ).items()
            )
            for one in puzzlec.solve(self.puzzle, symmetry="none")
        ]
        self.clues: list[Placed] = sorted({placed for one in self.solutions for placed, _ in one}, key=repr)
        self.images = list(self._images())

    def _images(self) -> Iterator[dict[Placed, Placed]]:
        """Yield what each symmetry of the rectangle does to placements."""
        if self.puzzle.lattice is None:
            yield {placed: placed for placed in self.clues}
            return
        cells = {(int(one.at[0]), int(one.at[1])): one.optional for one in self.puzzle.locations}
        wide, high = max(x for x, _ in cells), max(y for _, y in cells)
        for turn in range(8):
            image = {}
            for x, y in cells:
                one = (wide - x if turn & 1 else x, high - y if turn & 2 else y)
                image[x, y] = one[::-1] if turn & 4 else one
            if {image[at]: optional for at, optional in cells.items()} == cells:
                swap = {"S": "Z", "Z": "S"} if turn.bit_count() % 2 else {}
                name = {f"{x},{y}": f"{at[0]},{at[1]}" for (x, y), at in image.items()}
                yield {
                    (piece, cells): (swap.get(piece, piece), frozenset(name[placed] for placed in cells))
                    for piece, cells in self.clues
                }

    def left(self, chosen: tuple[Placed, ...]) -> int:
        """Return the number of solutions with these clues, up to the symmetries that keep the clues."""
        rest = [
            one
            for one in self.solutions
            if all((clue in {placed for placed, _ in one}) == (self.kind == "fix") for clue in chosen)
        ]
        if self.raw:
            return len(rest)
        keeping = [image for image in self.images if {image[clue] for clue in chosen} == set(chosen)]
        return len({frozenset(frozenset((image[p], n) for p, n in one) for image in keeping) for one in rest})

    def least(self, most: int) -> set[frozenset[Placed]]:
        """Return the least sets of clues, empty if more than ``most`` clues are needed."""
        for number in range(most + 1):
            found = {frozenset(clues) for clues in combinations(self.clues, number) if self.left(clues) == self.target}
            if found:
                return found
        return set()


def cases() -> Iterator[tuple[str, str, int, bool]]:
    for name in SMALL:
        for kind in ("fix", "forbid"):
            for target in (1, 2, 3):
                for raw in (False, True):
                    yield name, kind, target, raw


@pytest.mark.parametrize(("name", "kind", "target", "raw"), list(cases()))
def test_no_set_of_fewer_clues_is_enough(name: str, kind: str, target: int, raw: bool) -> None:
    brute = Brute(SMALL[name], kind, target, raw)
    puzzle, symmetry = brute.puzzle, "none" if raw else "all"
    if brute.left(()) < target:
        with pytest.raises(PuzzleError, match="PZ368"):
            puzzlec.clues(puzzle, kinds=(kind,), target=target, symmetry=symmetry)  # type: ignore[arg-type]
        return
    expected = brute.least(3)
    search = Unique(puzzle, kinds=(kind,), target=target, every=True, symmetry=symmetry, limits=Limits(seconds=4))  # type: ignore[arg-type]
    try:
        found = search.find()
    except PuzzleError as error:
        assert "PZ367" in str(error)
        assert not expected
        return
    if not expected:
        assert search.at_least > 3 or len(found[0].clues) > 3
        return
    assert not search.stopped
    for clue_set in found:
        assert puzzlec.count(clue_set.puzzle, symmetry="none" if raw else "all") == target
    chosen = [
        frozenset(
            (c.piece, frozenset(",".join(map(str, at)) if isinstance(at, tuple) else at for at in c.at))
            for c in clue_set.clues
        )
        for clue_set in found
    ]
    assert {frozenset(image[c] for c in clues) for clues in chosen for image in brute.images} == expected


def test_each_least_hint_of_a_tray_is_found() -> None:
    every = puzzlec.clues(puzzlec.parse(TRAY), every=True)
    assert [len(clue_set.clues) for clue_set in every] == [1, 1, 1]  # 24 hints, as a loop over all solutions finds
    assert sorted(clue_set.clues[0].piece for clue_set in every) == ["P", "P", "W"]
    assert set(map(str, every)) == {str(clue_set.clues[0]) for clue_set in every}
    assert every[0].grade == puzzlec.grade(every[0].puzzle) is not None
    assert "locations" not in repr(every[0])


def test_holes_leave_the_solutions_with_these_cells_empty() -> None:
    text = SMALL["bare"]
    every = puzzlec.clues(puzzlec.parse(text), kinds=("hole",), every=True)
    least = None
    sets = set()
    cells = [(x, y) for y in range(3) for x in range(3)]
    for number in range(3):
        for holes in combinations(cells, number):
            left = " ".join(f"({x},{y})" for x, y in cells if (x, y) not in holes)
            made = f"optional locations cells {left}\nempty {2 - number}\n" + text.split("\n", 2)[2]
            if puzzlec.count(puzzlec.parse(made)) == 1:
                least = number if least is None else least
                sets.add(frozenset(holes))
        if least is not None:
            break
    assert {len(clue_set.clues) for clue_set in every} == {least}
    assert all(puzzlec.count(clue_set.puzzle) == 1 for clue_set in every)
    assert {frozenset(clue.at[0] for clue in clue_set.clues) for clue_set in every} <= sets


#: Puzzles with named locations and listed placements, and with statements about locations that may become holes.
LISTED = (
    "piece P covers {a b} {a c}\n",
    "piece P covers {a b} {a c}\npiece Q x0..1 covers {d c} {b d}\npiece R x0..1 covers {d}\ncost Q = 3\n",
    "piece P covers {a b} {a c}\npiece Q x0..1 covers {d}\nplace P inside names a b c\ncost P per names c d = 2\n",
    "piece P covers {a}\npiece Q x0..1 covers {b} {c d}\nplace Q inside names b\ncost Q off names b = 5\n",
    "piece P covers {a}\npiece Q x0..1 covers {b} {c d}\nforbid Q at names c d\n",
    "piece P covers {a b} {a c}\npiece Q x0..1 covers {b} {c} {d}\nplace Q off names d\n",
)


@pytest.mark.parametrize("pieces", LISTED)
def test_a_hole_takes_the_listed_placements_that_cover_it(pieces: str) -> None:
    text = f"lattice none\nlocations names a\noptional locations names b c d\n{pieces}"
    for clue_set in puzzlec.clues(puzzlec.parse(text), kinds=("hole",), every=True):
        holes = {clue.at[0] for clue in clue_set.clues}
        written = puzzlec.convert(clue_set.puzzle, "puzzle")
        (only,) = puzzlec.solve(puzzlec.parse(written), symmetry="none")
        (same,) = [
            solution
            for solution in puzzlec.solve(puzzlec.parse(text), symmetry="none")
            if holes.isdisjoint(
                name
                for placement in solution.placements
                for name in map(solution.fitting.location_name, placement.locations)
            )
        ]
        assert (only.cost or 0) == (same.cost or 0)  # without costs, a solution has none


#: Single pieces: without symmetry, with a reflection, with a half turn, and one-sided.
PAINTED = (
    "locations box 4x3\npiece L { xxx/x.. }\npiece J { xxx/x.. }\npiece O { xx/xx }\n",
    "locations box 3x3\npiece V { xx/x. }\npiece T { xxx }\npiece W { xx/x. }\n",
    "locations box 4x2\npiece S one-sided { xxx/x.. }\npiece Z one-sided { xxx/x.. }\n",
)


@pytest.mark.parametrize("text", PAINTED)
@pytest.mark.parametrize("target", [1, 2])
def test_no_fewer_painted_cells_are_enough(text: str, target: int) -> None:
    """Each choice of a cell for each of some pieces, and of locations, is a puzzle of its colours that is counted."""
    puzzle = puzzlec.parse(text)
    if puzzlec.count(puzzle) < target:
        return
    found = puzzlec.clues(puzzle, kinds=("colour",), target=target)
    assert puzzlec.count(found[0].puzzle) == target
    assert all(clue.kind == "colour" for clue in found[0].clues)
    least = len(found[0].clues)
    for number in range(least):
        for pieces in combinations(puzzle.pieces, number):
            for cells in product(*(range(len(piece.cells)) for piece in pieces)):
                for places in permutations(range(len(puzzle.locations)), number):
                    assert puzzlec.count(painted(puzzle, pieces, cells, places)) != target


def painted(
    puzzle: puzzlec.Puzzle, pieces: tuple[puzzlec.Piece, ...], cells: tuple[int, ...], places: tuple[int, ...]
) -> puzzlec.Puzzle:
    """Return a puzzle with a colour on a cell of each piece and on a location, and another one elsewhere."""
    signs = "rgby"[: len(pieces)]
    colours = {
        piece.name: tuple(sign if number == cell else None for number in range(len(piece.cells)))
        for piece, cell, sign in zip(pieces, cells, signs, strict=True)
    }
    at = dict(zip(places, signs, strict=True))
    return replace(
        puzzle,
        colours=PuzzleColours(("w", *signs)),
        locations=tuple(replace(one, colour=at.get(k, "w")) for k, one in enumerate(puzzle.locations)),
        pieces=tuple(replace(piece, colours=colours.get(piece.name, piece.colours)) for piece in puzzle.pieces),
    )


def test_a_placement_of_pentominoes_is_in_one_of_all_9356_raw_solutions() -> None:
    seen: dict[tuple[int, tuple[int, ...]], int] = {}
    for solution in puzzlec.solve("pentominoes/6x10", symmetry="none"):
        for placement in solution.placements:
            key = (placement.number, placement.locations)
            seen[key] = seen.get(key, 0) + 1
    assert 1 in seen.values()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["fix", "colour"])
def test_pentominoes_need_one_clue(kind: str) -> None:
    search = Unique("pentominoes/6x10", kinds=(kind,))  # type: ignore[arg-type]
    [found] = search.find()
    assert (len(found.clues), search.before, search.at_least) == (1, 2339, 1)
    assert (puzzlec.count(found.puzzle), puzzlec.count(found.puzzle, symmetry="none")) == (1, 1)


@pytest.mark.long
def test_soma_needs_two_fixed_pieces() -> None:
    search = Unique("soma")
    [found] = search.find()
    assert (len(found.clues), search.before, search.at_least) == (2, 240, 2)
    assert puzzlec.count(found.puzzle) == 1
    # No placement leaves one solution: each is in more raw solutions than a symmetry can make one.
    seen: dict[tuple[int, tuple[int, ...]], set[frozenset[tuple[int, ...]]]] = {}
    for number, solution in enumerate(puzzlec.solve("soma", symmetry="none")):
        for placement in solution.placements:
            key = (placement.number, placement.locations)
            seen.setdefault(key, set()).add(frozenset({(number,)}))
    assert min(map(len, seen.values())) > 2


def test_a_unique_puzzle_needs_no_clue_and_one_without_solutions_has_none() -> None:
    [found] = puzzlec.clues("polyaboloes/tangram-square")
    assert found.clues == ()
    assert puzzlec.clues(puzzlec.parse("locations box 5x2\npieces pentominoes only X, W\n")) == []


def test_meaningless_kinds_are_refused() -> None:
    for kind in ("hole", "colour"):
        with pytest.raises(PuzzleError, match="PZ369"):
            puzzlec.clues(puzzlec.parse(SMALL["dominoes"]), kinds=(kind,))
    with pytest.raises(ValueError, match="unknown kind"):
        puzzlec.clues("soma", kinds=("paint",))  # type: ignore[arg-type]


def test_too_many_solutions_give_a_puzzle_and_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_RAW_SOLUTIONS", 20)
    search = Unique(puzzlec.parse(TRAY))
    [found] = search.find()
    assert (search.stopped, search.at_least, search.before) == ("solutions", 1, None)
    assert puzzlec.count(found.puzzle) == 1
    with pytest.raises(UnfinishedError):
        puzzlec.clues(puzzlec.parse(TRAY))


#: Four pairs of locations with two solutions each, and a piece that leaves one of two others empty.
PAIRS = """
lattice none
locations names a1 b1 a2 b2 a3 b3 a4 b4
optional locations names x y
""" + "".join(f"piece {name}{n} x0..1 covers {{a{n}}} {{b{n}}}\n" for n in range(1, 5) for name in "ST")


@pytest.mark.parametrize(
    "piece",
    [
        "piece Q covers {x} {y a1 b1 a2 b2 a3 b3 a4 b4}",  # the hole x leaves a single solution, the last one
        "piece Q covers {x} {y}",  # a hole leaves half of the solutions, and there is no other one
    ],
)
def test_nothing_is_proved_about_clues_for_too_many_solutions(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_RAW_SOLUTIONS", 16)
    search = Unique(puzzlec.parse(PAIRS + piece), kinds=["hole"])
    assert search.find() == []
    assert (search.stopped, search.before) == ("solutions", None)


def test_the_clue_for_too_many_solutions_is_the_one_that_leaves_the_fewest(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = puzzlec.parse(TRAY)
    solutions = list(puzzlec.solve(puzzle, symmetry="none"))
    monkeypatch.setattr(module, "MAX_RAW_SOLUTIONS", len(solutions) - 1)
    clue = Unique(puzzle).find()[0].clues[0]
    placed = Counter(placement for solution in solutions for placement in pairs(solution))
    assert placed[clue.piece, frozenset(clue.at)] == min(placed[one] for one in pairs(solutions[0]))
    assert len({placed[one] for one in pairs(solutions[0])}) > 1, "all clues leave as many"


def pairs(solution: puzzlec.Solution) -> list[tuple[str, frozenset[object]]]:
    """Return the pieces of a solution, each with its cells."""
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    return [
        (solution.fitting.piece_name(one.number), frozenset(puzzle.locations[at].at for at in one.locations))
        for one in solution.placements
    ]


def test_millions_of_solutions_give_a_puzzle_and_a_bound() -> None:
    search = Unique(puzzlec.parse("locations box 8x6\npiece D x24 { xx }\n"))  # 167,089 raw solutions
    [found] = search.find()
    assert (search.stopped, search.at_least) == ("solutions", 1)
    assert puzzlec.count(found.puzzle, symmetry="none") == 1


def test_a_limit_of_time_keeps_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise ClueSearchStoppedError

    monkeypatch.setattr(FewestClues, "_extend", late)
    search = Unique(puzzlec.parse(TRAY), kinds=("forbid",))
    best = search.find()
    assert (search.stopped, search.at_least) == ("time", 1)
    assert puzzlec.count(best[0].puzzle) == 1
    with pytest.raises(UnfinishedError):
        puzzlec.clues(puzzlec.parse(TRAY), kinds=("forbid",))


def test_the_fewest_clues_of_several_first_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    # Clue 2 alone leaves solution 1. Only clues 0 and 1 together leave solution 0, for which they are found first.
    def late(*_: object) -> None:
        raise ClueSearchStoppedError

    monkeypatch.setattr(FewestClues, "_extend", late)
    keeps, kept_by, same = [0b011, 0b101, 0b010], [0b011, 0b101, 0b010], [[0, 1, 2]]
    search = FewestClues(Clues(3, keeps, kept_by, [0] * 3, same, same, [False] * 3))
    assert (search.find(), search.proved, search.stopped) == ([(2,)], 1, "time")


def test_a_search_that_a_limit_ends_looks_for_no_symmetries_to_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Unique("soma", limits=Limits(seconds=0))
    assert search.find() == []
    assert search.stopped
    monkeypatch.setattr(Solutions, "convention", property(lambda _: pytest.fail("it looks for symmetries")))
    assert search.distinct
    assert not Unique("soma", symmetry="none").distinct
