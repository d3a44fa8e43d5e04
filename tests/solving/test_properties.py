"""Properties of solutions, against rules about how pieces meet and against definitions by hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

import puzzlec
from puzzlec import Solution
from puzzlec.geometry import colouring
from puzzlec.geometry.colouring import fewest_colours
from puzzlec.solving import properties
from puzzlec.solving.properties import PROPERTIES, Joints
from tests.commands import run

PENTOMINOES = "locations box 10x6\npieces pentominoes\n"
SMALL = (
    "locations box 4x4\npiece D x0..8 { xx }\npiece L x0..2 { xxx/x.. }\npiece O x0..2 { xx/xx }\n",
    "locations box 4x3\noptional locations cells (4,0)\npiece L x2 { xxx/x.. }\npiece S x0..5 { x }\n",
    "lattice hex\nlocations box 3x3\npiece D x3 { x x }\npiece S x3 { x }\n",
    "lattice triangle\nlocations box 4x2\npiece D x0..4 { xx }\npiece S x0..8 { x }\n",
    "lattice cubic\nlocations box 2x2x2\npiece D x0..4 { xx }\npiece S x0..8 { x }\n",
)


def owners(solution: Solution) -> dict[tuple[int, ...], int]:
    return {tuple(cell): number for number, one in enumerate(solution.placements) for cell in one.cells}


def least_colours(number: int, pairs: set[tuple[int, int]]) -> int:
    """Return the least number of colours, by trying all colourings."""
    return next(
        colours
        for colours in range(number + 1)
        if any(all(way[a] != way[b] for a, b in pairs) for way in product(range(colours), repeat=number))
    )


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.long
def test_solutions_without_a_property_are_those_that_obey_the_rule(text: str) -> None:
    every = list(puzzlec.solve(puzzlec.parse(text), symmetry="none"))
    names = ("crossroads", "faults")
    found = Counter(name for one in every for name in names if not getattr(puzzlec.properties(one), name))
    for name in names:
        try:
            ruled = int(puzzlec.count(puzzlec.parse(f"{text}no {name}"), symmetry="none"))
        except puzzlec.PuzzleError as error:
            assert "PZ373" in str(error) or "PZ366" in str(error)
            continue
        assert found[name] == ruled


def test_a_search_for_colours_that_is_too_long_leaves_their_number_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(properties, "fewest_colours", lambda number, pairs: None)
    (solution, *_) = puzzlec.solve(puzzlec.parse(SMALL[0]), limit=1)
    found = puzzlec.properties(solution)
    assert (found.colouring, found.colours) == (None, None)


def test_properties_of_squares_are_those_of_their_definition() -> None:
    for solution in puzzlec.solve(puzzlec.parse(SMALL[0]), symmetry="none", limit=200):
        at, found = owners(solution), puzzlec.properties(solution)
        sides = [((x, y), (x + dx, y + dy)) for x, y in at for dx, dy in ((1, 0), (0, 1)) if (x + dx, y + dy) in at]
        pairs = {(min(at[a], at[b]), max(at[a], at[b])) for a, b in sides if at[a] != at[b]}
        assert found.pairs == tuple(sorted(pairs))
        assert found.touching == len(pairs)
        four = [{at[x, y], at[x + 1, y], at[x, y + 1], at[x + 1, y + 1]} for x in range(3) for y in range(3)]
        assert found.crossroads == sum(len(some) == 4 for some in four)
        seams = []
        for line in range(3):
            seams += ["".join("x" if at[line, y] != at[line + 1, y] else "." for y in range(4))]
            seams += ["".join("x" if at[x, line] != at[x, line + 1] else "." for x in range(4))]
        assert found.seam == max(len(run) for seam in seams for run in seam.split("."))
        assert found.faults == seams.count("xxxx")
        assert found.colours == least_colours(len(solution.placements), pairs)
        assert found.colouring is not None
        assert all(found.colouring[a] != found.colouring[b] for a, b in pairs)


@pytest.mark.long
def test_the_solutions_of_the_rectangle_of_pentominoes_have_the_numbers_of_two_programs() -> None:
    found: dict[str, Counter[int]] = {name: Counter() for name in ("crossroads", "faults", "colours")}
    joints: Joints | None = None
    for solution in puzzlec.solve(puzzlec.parse(PENTOMINOES)):
        joints = joints or Joints(solution.fitting)
        for name, numbers in found.items():
            numbers[getattr(joints.of(solution), name)] += 1
    assert found["crossroads"] == {0: 563, 1: 1102, 2: 547, 3: 118, 4: 9}
    assert found["faults"] == {0: 2323, 1: 16}
    assert found["colours"] == {3: 1022, 4: 1317}


def test_the_fewest_colours_are_unknown_if_they_need_too_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(number, (number + 1) % 5) for number in range(5)]
    assert fewest_colours(5, pairs) is not None
    monkeypatch.setattr(colouring, "MAX_COLOURING_STEPS", 3)
    assert fewest_colours(5, pairs) is None


@pytest.mark.parametrize("number", range(6))
def test_the_fewest_colours_of_small_graphs_are_those_of_all_colourings(number: int) -> None:
    every = list(combinations(range(number), 2))
    for chosen in range(0, 1 << len(every), 7):
        pairs = {pair for bit, pair in enumerate(every) if chosen >> bit & 1}
        fewest = fewest_colours(number, pairs)
        assert fewest is not None
        assert all(fewest[a] != fewest[b] for a, b in pairs)
        assert len(set(fewest)) == least_colours(number, pairs)


def test_a_board_without_a_property_has_none() -> None:
    (torus,) = puzzlec.solve(puzzlec.parse("locations box 2x2\nwrap x\npiece O { xx/xx }"))
    assert puzzlec.properties(torus).faults is None
    (plain,) = puzzlec.solve(puzzlec.parse("lattice none\nlocations names a b\npiece A covers {a b}"))
    found = puzzlec.properties(plain)
    assert [getattr(found, name) for name in PROPERTIES] == [None, None, None, None, None, 1]


def test_symmetries_of_a_solution_are_those_of_its_own_symmetry() -> None:
    for solution in puzzlec.solve(puzzlec.parse("locations box 4x4\npiece D x8 { xx }")):
        assert puzzlec.properties(solution).symmetries == puzzlec.own_symmetry(solution).order


def test_a_table_has_a_line_for_each_solution_and_conditions_choose_solutions() -> None:
    text = "locations box 4x2\npiece D x4 { xx }\n"
    shown = run("solutions", "-", "--table", stdin=text)
    head, *lines = shown.stdout.splitlines()
    assert head.split() == ["solution", *PROPERTIES]
    assert len(lines) == 5
    rows = [dict(zip(head.split(), map(int, line.split()), strict=True)) for line in lines]
    for condition, meets in {
        "crossroads = 0": lambda row: row["crossroads"] == 0,
        "faults >= 2": lambda row: row["faults"] >= 2,
        "seam < 3": lambda row: row["seam"] < 3,
        "touching != 4": lambda row: row["touching"] != 4,
        "colours == 2": lambda row: row["colours"] == 2,
        "symmetries > 1": lambda row: row["symmetries"] > 1,
    }.items():
        assert int(run("solutions", "-", "--where", condition, stdin=text).stdout) == sum(map(meets, rows))
    one = run("solutions", "-", "--table", "--where", "crossroads = 0", "--limit", "1", "--json", stdin=text)
    assert '"crossroads":0' in one.stdout
    assert '"colouring":[' in one.stdout


def test_a_condition_inside_another_one_is_an_error() -> None:
    wrong = run("solutions", "soma", "--where", "crossroads = 0 and V used")
    assert wrong.returncode == 1
    assert "PZ639" in wrong.stderr
    assert '--where "crossroads = 0" --where "V used"' in wrong.stderr
    assert '--where "crossroads = 0" --where "..."' not in wrong.stderr


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        ("crossroad = 0", "did you mean `crossroads`?"),
        ("colors == 3", "did you mean `colours`?"),
        ("lines < 3", "seam"),
    ],
)
def test_an_unknown_number_of_a_condition_gets_the_known_ones(condition: str, text: str) -> None:
    wrong = run("solutions", "soma", "--where", condition)
    assert wrong.returncode == 1
    assert "error[PZ639]: unknown number" in wrong.stderr
    assert text in wrong.stderr


@pytest.mark.parametrize("words", ["touching I L", "apart L I", "apart L", 'apart I, "a b", L', 'touching "a b" I'])
def test_a_condition_on_touching_pieces_chooses_the_solutions_of_the_rule(words: str) -> None:
    board = 'locations box 4x4\npiece L { xxx/x.. }\npiece I { xxx }\npiece "a b" { xx }\n'
    board += "piece V { xxx/x../x.. }\npiece S x2 { x }"
    ruled = puzzlec.count(puzzlec.parse(f"{board}\n{words}"), symmetry="none")
    every = puzzlec.count(puzzlec.parse(board), symmetry="none")
    assert int(run("solutions", "-", "--where", words, stdin=board).stdout) == ruled
    assert (ruled == every) is (words == "apart L")


def test_a_condition_on_touching_copies_is_about_any_two_of_them() -> None:
    board = "locations box 4x3\npiece L x2 { xxx/x.. }\npiece S x4 { x }"
    numbers = [
        int(run("solutions", "-", "--where", f"{words}", stdin=board).stdout) for words in ("touching L L", "apart L")
    ]
    assert sum(numbers) == puzzlec.count(puzzlec.parse(board), symmetry="none")
    assert numbers[1] == puzzlec.count(puzzlec.parse(f"{board}\napart L"), symmetry="none")
    unknown = run("solutions", "-", "--where", "touching L Q", stdin=board)
    assert (unknown.returncode, "error[PZ630]: unknown piece `Q`" in unknown.stderr) == (1, True)
    assert run("solutions", "-", "--where", "L on corner", stdin=board).returncode == 0


def test_a_picture_has_the_fewest_colours() -> None:
    (solution,) = puzzlec.solve(
        puzzlec.parse("locations box 3x1\npiece A { x }\npiece B { x }\npiece C { x }"), limit=1
    )
    few = puzzlec.draw(solution, fewest_colours=True, labels="none")
    many = puzzlec.draw(solution, labels="none")
    fills = [{part[:7] for part in str(picture).split('fill="')[1:] if part[0] == "#"} for picture in (few, many)]
    assert len(fills[0]) + 1 == len(fills[1])
