"""The game in a real browser: its functions compared with the solver, and each way to play."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from puzzlec.compiler import parse
from puzzlec.ir import Condition, Puzzle
from puzzlec.ir.location import Address
from puzzlec.make.outputs import play, subject
from puzzlec.show.game.data import game_data
from puzzlec.show.game.writing import game_source
from tests.browser import Tab, findings
from tests.show.test_game import Placed, data_of, numbers, placements_of, points_of, solutions_of
from tests.show.test_ruling import CALCUDOKU, CUBES, RING

Opener = Callable[..., Tab]

#: Two pieces in a row of five: D first, or last.
SMALL = 'puzzle "Row"\nlocations box 5x1\npiece D { xx }\npiece T { xxx }\n'


@cache
def page_of(name: str) -> str:
    return play(parse(SMALL)) if name == "small" else play(subject(name, 100_000, None))


@pytest.fixture
def playing(tab: Opener, tmp_path: Path) -> Opener:
    """A function that opens a game."""

    def show(name: str, **settings: Any) -> Tab:
        path = tmp_path / "game.html"
        path.write_text(page_of(name), encoding="utf-8")
        return tab(path.as_uri(), **{"width": 1000, "height": 700, **settings})

    return show


def asked(seen: Tab, data: object, script: str, argument: object = None) -> Any:
    """Return the results of the functions of a game for a puzzle: the script has ``game`` and ``argument``."""
    body = f"{game_source(staged=False)}\nconst game = new Game(JSON.parse(data));\n{script}"
    return seen.page.evaluate(f"([data, argument]) => {{ {body} }}", [json.dumps(data), argument])


def status(seen: Tab) -> str:
    return seen.page.inner_text("#status")


def progress(seen: Tab) -> str:
    return seen.page.inner_text("#progress")


def choose_turned(seen: Tab, act: Callable[[], object]) -> None:
    """Rotate or reflect the chosen piece by an action, and wait until its picture has changed."""
    before = seen.page.locator(".piece").nth(0).inner_html()
    act()
    seen.settles(lambda: seen.page.locator(".piece").nth(0).inner_html() != before)


def raw_solutions(data: dict[str, Any]) -> set[frozenset[Placed]]:
    """All solutions of a game on a board with the symmetries of a rectangle, made from the stored ones."""
    placed = placements_of(data)
    stored = [[placed[number] for number in row] for row in solutions_of(data)]
    points = points_of(numbers(data["board"]["points"]), 2)
    at_point = {point: number for number, point in enumerate(points)}
    wide, high = max(points)
    maps = [
        [at_point[wide - x if across else x, high - y if down else y] for x, y in points]
        for across in (False, True)
        for down in (False, True)
    ]
    return {frozenset((p, frozenset(to[at] for at in cells)) for p, cells in one) for one in stored for to in maps}


def test_a_game_is_solved_by_its_rules(tab: Opener) -> None:
    seen = tab("about:blank")
    data = data_of("polysticks/tetrasticks-5x5")
    rows = solutions_of(data)
    assert asked(seen, data, "return argument.map(row => game.isSolved(row))", rows) == [True] * len(rows)
    fewer = [row[1:] for row in rows] + [[*row[:-1], row[0]] for row in rows]
    assert not any(asked(seen, data, "return argument.map(row => game.isSolved(row))", fewer))


def test_pieces_that_cross_and_sums_are_judged(tab: Opener) -> None:
    seen = tab("about:blank")

    def once(*colours: int) -> dict[str, object]:
        return {"low": 1, "high": 1, "forms": [{"points": [0, 1], "of": [0, 0], "colours": colours, "at": [0, 2]}]}

    data: dict[str, Any] = {
        "board": {"steps": [[1, 0, 0]], "points": [0, 1, 2, 3], "of": [0] * 4, "optional": [], "colours": ["1", "2"]},
        "pieces": [{"name": "A", **once(1, 2)}, {"name": "B", **once(2, 2)}],
        "empty": [], "crossings": [], "regions": [], "symmetries": [],
        "solutions": {"number": 0, "shared": [], "more": [], "numbers": []},
    }  # fmt: skip

    def solved(placed: list[int], **rules: object) -> bool:
        return bool(asked(seen, {**data, **rules}, "return game.isSolved(argument)", placed))

    assert solved([0, 3])
    assert not solved([0, 2])
    assert not solved([0, 1])  # two copies of A
    assert not solved([0, 3], crossings=[[0, 1, 2, 3]])
    assert solved([0, 3], regions=[{"kind": "sum", "at": [0, 2], "low": 3, "high": 3}])
    assert not solved([0, 3], regions=[{"kind": "sum", "at": [1, 2], "low": 3, "high": 3}])
    assert solved([0, 3], regions=[{"kind": "equal", "at": [1, 2, 3]}])
    assert not solved([0, 3], regions=[{"kind": "different", "at": [1, 2]}])


def test_hints_agree_with_all_solutions(tab: Opener) -> None:
    """For boards with pieces of two solutions, the minimum number of wrong pieces equals that of a plain comparison."""
    seen = tab("about:blank")
    data = data_of("pentominoes/6x10")
    placed = placements_of(data)
    number = {placement: k for k, placement in enumerate(placed)}
    everything = sorted(raw_solutions(data), key=lambda one: sorted(number[placement] for placement in one))
    assert len(everything) == 9356
    chance = random.Random(22)
    boards = []
    for count in (0, 1, 2, 3, 4, 5, 12):
        one, two = chance.sample(everything, 2)
        board = set(chance.sample(sorted(one, key=number.__getitem__), count))
        for piece, cells in sorted(two, key=number.__getitem__)[:count]:
            if count < 12 and all(piece != other and cells.isdisjoint(covered) for other, covered in board):
                board.add((piece, cells))
        boards.append(board)
    given = [[number[placement] for placement in sorted(board, key=number.__getitem__)] for board in boards]
    answers = asked(seen, data, "return argument.map(each => nearest(game, each))", given)
    assert any(answer["wrong"] for answer in answers)
    assert any(board and not answer["wrong"] for board, answer in zip(boards, answers, strict=True))
    for board, answer in zip(boards, answers, strict=True):
        assert len(answer["wrong"]) == min(len(board - one) for one in everything)
        kept = board - {placed[k] for k in answer["wrong"]}
        assert frozenset(kept | {placed[k] for k in answer["missing"]}) in set(everything)


def test_hints_and_solve_lead_to_the_end(playing: Opener) -> None:
    seen = playing("pentominoes/6x10")
    seen.settles(lambda: progress(seen), "0 of 60 locations covered")
    seen.page.click("#hint")
    seen.settles(lambda: (status(seen)[:5], progress(seen)), ("Hint:", "5 of 60 locations covered"))
    seen.page.click("#solve")
    seen.settles(lambda: status(seen), "This is one solution.")
    assert seen.page.locator("#end").is_hidden()
    assert seen.page.locator(".wave, .solved").count() == 0
    seen.settles(lambda: progress(seen), "60 of 60 locations covered")
    seen.page.click("#back")
    seen.settles(lambda: (status(seen), progress(seen)), ("The last step was taken back.", "5 of 60 locations covered"))
    seen.page.click("#reset")
    seen.settles(lambda: progress(seen), "0 of 60 locations covered")
    assert seen.asked == []


@pytest.mark.parametrize(("name", "beside"), [("pentominoes/6x10", True), ("pentominoes/20x3-f2", False)])
def test_in_a_small_window_the_tray_is_where_the_board_is_larger(playing: Opener, name: str, beside: bool) -> None:
    seen = playing(name, width=556, height=470)
    board, piece = (seen.page.locator(what).first.bounding_box() for what in ("#board", ".piece"))
    assert board is not None
    assert piece is not None
    assert (piece["x"] > board["x"] + board["width"]) is beside
    assert (piece["y"] > board["y"] + board["height"]) is not beside
    cell = seen.page.locator(".cell").first.bounding_box()
    assert cell is not None
    assert cell["width"] > 22


def test_given_pieces_are_on_the_board_and_stay_there(tab: Opener, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text(play(parse(f"{SMALL}fix D at cells (0,0) (1,0)\n")), encoding="utf-8")
    seen = tab(path.as_uri(), width=1000, height=700)
    assert progress(seen) == "2 of 5 locations covered"
    for act in ("#back", "#reset"):
        seen.page.click(act)
        assert progress(seen) == "2 of 5 locations covered"
    seen.page.mouse.click(*centre(seen, ".placed g"))
    seen.settles(lambda: status(seen), "The puzzle fixes D there.")
    drag(seen, centre(seen, ".piece", 1), centre(seen, ".cell", 3))
    seen.settles(lambda: status(seen), "T is placed at column 3, row 1. Solved!")
    seen.page.reload()
    seen.settles(lambda: progress(seen), "5 of 5 locations covered")


def centre(seen: Tab, selector: str, number: int = 0) -> tuple[float, float]:
    box = seen.page.locator(selector).nth(number).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(seen: Tab, start: tuple[float, float], *way: tuple[float, float]) -> None:
    seen.page.mouse.move(*start)
    seen.page.mouse.down()
    for place in way:
        seen.page.mouse.move(*place, steps=5)
    seen.page.mouse.up()


def test_a_wrong_piece_is_named(playing: Opener) -> None:
    seen = playing("small")
    drag(seen, centre(seen, ".piece", 0), centre(seen, ".cell", 2))
    seen.settles(lambda: progress(seen), "2 of 5 locations covered")
    seen.page.click("#hint")
    seen.settles(lambda: status(seen), "No solution from here: take back D.")
    seen.settles(lambda: seen.page.locator(".wrong").count(), 1)
    seen.settles(lambda: progress(seen), "2 of 5 locations covered")
    x, y = centre(seen, ".placed g")
    seen.page.mouse.click(x, y)
    seen.settles(lambda: (status(seen), progress(seen)), ("D is back in the tray.", "0 of 5 locations covered"))


def test_pieces_are_dragged_snap_and_move_on_the_board(playing: Opener) -> None:
    seen = playing("small")
    first, last = centre(seen, ".cell", 0), centre(seen, ".cell", 4)
    seen.page.mouse.move(*centre(seen, ".piece", 1))
    drag(seen, centre(seen, ".piece", 1), (first[0] + 90, first[1] + 20))
    seen.settles(lambda: progress(seen), "3 of 5 locations covered")
    drag(seen, centre(seen, ".piece", 0), (last[0] - 200, last[1]))
    seen.settles(
        lambda: status(seen) in ("There is no room: T is in the way.", "D is placed at column 4, row 1. Solved!")
    )
    if "Solved" not in status(seen):
        drag(seen, centre(seen, ".piece", 0), centre(seen, ".cell", 3))
    seen.settles(lambda: status(seen).endswith("Solved!"))
    drag(seen, centre(seen, ".placed g", 0), (5, 300))
    seen.settles(lambda: progress(seen), "2 of 5 locations covered")
    seen.page.keyboard.press("Control+z")
    seen.settles(lambda: progress(seen), "5 of 5 locations covered")


def test_a_piece_is_rotated_reflected_and_placed_by_a_click(playing: Opener) -> None:
    seen = playing("pentominoes/6x10")
    before = seen.page.locator(".piece").nth(0).inner_html()
    seen.page.locator(".piece").nth(0).click()
    seen.settles(lambda: status(seen), "F is chosen. Choose its place on the board, or rotate it.")
    acts: list[Callable[[], object]] = [
        lambda: seen.page.keyboard.press("r"),
        lambda: seen.page.click("#turns button:nth-child(2)"),
        lambda: seen.page.mouse.wheel(0, 100),
    ]
    for act in acts:
        seen.page.mouse.move(*centre(seen, ".cell", 33))
        choose_turned(seen, act)
    assert seen.page.locator(".piece").nth(0).inner_html() != before
    seen.page.mouse.click(*centre(seen, ".cell", 33))
    seen.settles(lambda: progress(seen), "5 of 60 locations covered")


def test_a_one_sided_piece_cannot_be_reflected() -> None:
    data = json.loads(json.dumps(game_data(subject(parse("locations box 6x6\npiece L one-sided { xxx/x.. }"), 0))))
    assert len(data["pieces"][0]["forms"]) == 4
    assert data["pieces"][0]["turns"][-1] == [0, 1, 2, 3]


def test_the_keyboard_is_enough(playing: Opener) -> None:
    seen = playing("small")
    seen.page.focus(".piece >> nth=0")
    seen.page.keyboard.press("Enter")
    seen.settles(lambda: status(seen), "D at column 1, row 1: free")
    for _ in range(3):
        seen.page.keyboard.press("ArrowRight")
    seen.settles(lambda: status(seen), "D at column 4, row 1: free")
    seen.page.keyboard.press("Space")
    seen.settles(lambda: progress(seen), "2 of 5 locations covered")
    seen.page.focus(".piece >> nth=1")
    seen.page.keyboard.press("Enter")
    seen.page.keyboard.press("ArrowRight")
    seen.settles(lambda: status(seen), "T at column 2, row 1: covered by D")
    seen.page.keyboard.press("Backspace")
    seen.settles(lambda: progress(seen), "0 of 5 locations covered")
    seen.page.keyboard.press("h")
    seen.page.keyboard.press("h")
    seen.settles(lambda: status(seen).endswith("Solved!"))


def test_a_thumb_drags_a_piece(playing: Opener) -> None:
    seen = playing("small", width=390, height=844, touch=True)
    client = seen.context.new_cdp_session(seen.page)
    start, end = centre(seen, ".piece", 1), centre(seen, ".cell", 1)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in at]})

    touch("touchStart", start)
    for part in range(1, 11):
        x, y = (a + (b - a) * part / 10 for a, b in zip(start, (end[0], end[1] + 56), strict=True))
        touch("touchMove", (x, y))
    touch("touchEnd")
    seen.settles(lambda: progress(seen), "3 of 5 locations covered")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("width", "height"), [(1000, 700), (390, 844)])
def test_axe_finds_nothing_and_targets_are_as_wide_as_a_thumb(
    playing: Opener, width: int, height: int, dark: bool
) -> None:
    seen = playing("pentominoes/6x10", width=width, height=height, dark=dark)
    for button in ("#reset", "#hint", "#solve"):
        seen.page.click(button)
        assert findings(seen.page) == []
    sizes = seen.page.evaluate(
        "[...document.querySelectorAll('button')].filter(each => each.checkVisibility())"
        ".map(each => each.getBoundingClientRect())"
    )
    assert min(min(size["width"], size["height"]) for size in sizes) >= 44
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    seen.keep(f"game-{width}-{'dark' if dark else 'light'}")


def test_the_ground_of_the_board_has_a_separate_colour(playing: Opener) -> None:
    seen = playing("small")
    fill = "getComputedStyle(document.querySelector('.cell')).fill"
    assert seen.page.evaluate(fill) == "rgb(231, 234, 236)"


def choose(seen: Tab, piece: int, cell: int) -> None:
    """Place a piece by a click on it, and on a cell of the board."""
    button = seen.page.locator(".piece").nth(piece)
    if button.get_attribute("aria-pressed") != "true":
        button.click()
    before = seen.page.locator(".placed > g").count()
    seen.page.mouse.click(*centre(seen, ".ground .cell", cell))
    seen.settles(lambda: seen.page.locator(".placed > g").count(), before + 1, 5)


def test_a_calcudoku_shows_its_cages_marks_a_broken_rule_and_is_solved_by_its_rules(
    tab: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "game.html"
    path.write_text(play(parse(CALCUDOKU)), encoding="utf-8")
    seen = tab(path.as_uri(), width=1000, height=700)
    assert seen.page.locator(".region").count() == 5
    assert seen.page.locator(".region text").all_text_contents() == ["5", "10", "5", "11", "<12"]
    assert seen.page.locator("#rules li").all_inner_texts() == ["Each row and each column: all different"]
    outline = seen.page.locator(".region path").nth(0).bounding_box()
    corner = seen.page.locator(".ground .cell").nth(0).bounding_box()
    assert outline is not None
    assert corner is not None
    assert abs(outline["x"] - corner["x"]) < 0.1 * corner["width"]
    assert outline["width"] == pytest.approx(2 * corner["width"], rel=0.15)

    choose(seen, 3, 0)
    assert seen.page.locator(".broken").count() == 0
    assert seen.page.locator(".piece").nth(3).get_attribute("aria-pressed") == "true"  # it has more copies
    for cell, kind in ((3, "against"), (5, "fits")):  # in the same row, and elsewhere
        seen.page.mouse.move(*centre(seen, ".ground .cell", cell))
        seen.page.locator(f".aim > .{kind}").wait_for(state="attached")
    choose(seen, 3, 3)
    seen.settles(lambda: status(seen).endswith("Against the rules: Each row and each column: all different."))
    seen.settles(lambda: seen.page.locator("#rules .broken").count(), 1)
    choose(seen, 1, 1)
    seen.settles(lambda: status(seen).endswith("Against the rules: column 1, row 1: sum = 5."))
    seen.settles(lambda: seen.page.locator(".region.broken text").all_text_contents(), ["5"])
    seen.page.click("#reset")
    seen.settles(lambda: seen.page.locator(".broken").count(), 0)

    digits = "1234312442132341"
    for cell, digit in enumerate(digits[:-1]):
        choose(seen, int(digit) - 1, cell)
    choose(seen, int(digits[-1]) - 1, 15)
    seen.settles(lambda: progress(seen), "16 of 16 locations covered")
    assert "Solved" not in status(seen)
    assert seen.page.locator(".solved").count() == 0
    seen.page.click("#reset")
    seen.page.click("#solve")
    seen.settles(lambda: status(seen), "This is one solution.")
    assert seen.page.locator(".broken").count() == 0


def test_a_sum_is_broken_as_soon_as_no_further_piece_helps(tab: Opener) -> None:
    seen = tab("about:blank")
    data = game_data(subject(parse('colours 1 2 3\nlocations box 3x1\npiece A x* { 1 }\npiece B x* { 3 }\n'
                                   'rule box 2x1 sum = 4\n')))  # fmt: skip
    one, three = 0, 3  # the first placement of each piece; some of them break the rule
    for placed, broken in (([one], 0), ([three], 0), ([one, three + 1], 0), ([one, one + 1], 1), ([three, 4], 1)):
        assert asked(seen, data, "return game.broken(argument).size", placed) == broken


def obeys(puzzle: Puzzle, colour: Mapping[Address, str]) -> bool:
    """Whether the numbers on a board obey the rules of a puzzle."""
    for rule in puzzle.rules.regions:
        shown = [colour[at] for at in rule.region]
        if rule.kind is Condition.SUM and not rule.low <= sum(map(int, shown)) <= rule.high:
            return False
        if rule.kind is Condition.DIFFERENT and len(set(shown)) < len(shown):
            return False
    return True


@pytest.mark.parametrize("text", [CALCUDOKU, RING, CUBES])
def test_a_game_with_rules_accepts_exactly_the_boards_that_obey_them(tab: Opener, text: str) -> None:
    seen, puzzle = tab("about:blank"), parse(text)
    found = subject(puzzle, 1000, None)
    data: Any = game_data(found)
    rows = solutions_of(data)
    assert len(rows) == found.number
    assert asked(seen, data, "return argument.map(row => game.isSolved(row))", rows) == [True] * len(rows)

    free = subject(replace(puzzle, rules=replace(puzzle.rules, regions=())), 1000, None, "none")
    names = {colour: number for number, colour in enumerate(data["board"]["colours"], 1)}
    of = {
        (placed["piece"], frozenset(zip(placed["cells"], placed["colours"], strict=True))): number
        for number, placed in enumerate(asked(seen, data, "return game.placements"))
    }
    boards, right = [], []
    for solution in free.solutions:
        shown = [(p, free.fitting.shown_colours(p.number, p.index)) for p in solution.placements]
        boards.append([of[p.number, frozenset((at, names[str(c)]) for at, c in zip(p.locations, colours, strict=True))]
                       for p, colours in shown])  # fmt: skip
        colour = {puzzle.locations[at].at: str(c) for p, colours in shown
                  for at, c in zip(p.locations, colours, strict=True)}  # fmt: skip
        right.append(obeys(puzzle, colour))
    assert not all(right)
    assert asked(seen, data, "return argument.map(row => game.isSolved(row))", boards) == right


DOMINOES = "locations box {}\npiece D x* {{ xx }}\n"
TETROMINOES = "locations box 6x4\npieces tetrominoes only I L O\npiece J x3 { xxx / x.. }\n"
PAIRS = "locations box 5x4\npiece L x2 { xxx / x.. }\npiece I x2 { xxx }\npiece V x2 { xx / x. }\n"


@pytest.mark.parametrize(
    "text",
    [
        DOMINOES.format("5x4") + "no crossroads",
        DOMINOES.format("5x4") + "no crossroads off cells (0,0) (1,1) (2,1) (3,1)",
        DOMINOES.format("6x5") + "no faults",
        DOMINOES.format("4x4") + "no faults across x",
        DOMINOES.format("4x4") + "symmetric mirror x",
        TETROMINOES + "apart I L",
        PAIRS + "apart L with corners",
        TETROMINOES + "touching I O",
    ],
)
def test_a_game_accepts_exactly_the_boards_whose_pieces_meet_by_the_rules(tab: Opener, text: str) -> None:
    seen, puzzle = tab("about:blank"), parse(text)
    data: Any = game_data(subject(puzzle, 10_000, None))
    of = {
        (placed["piece"], frozenset(placed["cells"])): number
        for number, placed in enumerate(asked(seen, data, "return game.placements"))
    }
    ways = (replace(puzzle, rules=replace(puzzle.rules, meetings=())), puzzle)
    free, kept = (subject(way, 10_000, None, "none").solutions for way in ways)
    boards, right = (
        [[of[p.number, frozenset(p.locations)] for p in solution.placements] for solution in several]
        for several in (free, kept)
    )
    accepted = asked(seen, data, "return argument.filter(row => game.isSolved(row))", boards)
    assert sorted(map(sorted, accepted)) == sorted(map(sorted, right))
    assert 0 < len(accepted) < len(boards)
    (broken,) = {
        tuple(row) for row in asked(seen, data, "return argument.map(row => [...game.broken(row)])", boards)
    } - {()}
    assert list(broken) == list(data["rules"]["notes"][0]["rules"]) == [0]


@pytest.mark.parametrize(
    ("words", "marks"),
    [
        ("no crossroads", ["M0.500 0.500Z"]),
        ("no faults", ["M0.500 -0.500L0.500 0.500Z", "M0.500 0.500L-0.500 0.500Z"]),
        ("apart A B", ["M0.500 -0.500L0.500 0.500Z"]),
        ("touching A D", []),
    ],
)
def test_the_board_marks_where_pieces_break_a_rule_about_how_they_meet(
    tab: Opener, tmp_path: Path, words: str, marks: list[str]
) -> None:
    copies = "" if words.startswith("touching") else "x0..1 "
    text = (
        "locations box 2x2\n" + "".join(f"piece {name} {copies}{{ x }}\n" for name in "ABCD") + "piece I x0..2 { xx }\n"
    )
    path = tmp_path / "game.html"
    path.write_text(play(parse(text + words)), encoding="utf-8")
    seen = tab(path.as_uri(), width=1000, height=700)
    for cell in range(4):
        choose(seen, cell, cell)
    seen.settles(lambda: seen.page.locator("#rules .broken").count(), 1)
    ways = "[...document.querySelectorAll('.joint')].map(mark => mark.getAttribute('d'))"
    found = seen.page.evaluate(ways)
    assert set(marks) <= set(found)
    assert bool(found) is bool(marks)
    seen.page.click("#reset")
    seen.settles(lambda: seen.page.locator(".joint").count(), 0)


#: A box that is open above one cell: the domino goes in upright, but not flat.
NARROW = """locations box 2x2
piece D { xx }
piece o x2 { x }
wall box 4x4 at (-1,-1) - box 2x2 - cells (0,-1)
"""


@pytest.mark.parametrize(
    ("text", "limit", "apart"),
    [
        (NARROW, 1000, "all"),
        (NARROW, 1, "some"),
        (NARROW.replace(" - cells (0,-1)", ""), 1000, "none"),
        ("locations box 2x2\npiece D { xx }\npiece o x2 { x }\n", 1000, None),
    ],
)
def test_a_game_states_what_is_known_of_its_assemblies(text: str, limit: int, apart: str | None) -> None:
    assert game_data(subject(parse(text), limit))["apart"] == apart
