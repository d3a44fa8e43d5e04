"""Play on the page: pieces that are dragged leave the text alone; hints, and moves by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec.compiler import compile, load
from puzzlec.disassembling import compared
from puzzlec.formats.catalogue import find
from puzzlec.ir import Puzzle
from puzzlec.services.web.jobs import WebLimits
from puzzlec.services.web.local import ask
from tests.browser import Tab, findings
from tests.services.web.serving import Running, running
from tests.services.web.test_in_the_browser import VERDICT, begins, says, write
from tests.services.web.test_painting import becomes

Open = Callable[..., Tab]

#: D is first or last in a row of five.
ROW = 'puzzle "Row"\nlocations box 5x1\npiece D { xx }\npiece T { xxx }  # three\n'
#: The numbers of the placements of a solution.
ROW_SOLVED = [[0], [2]]
FIRST, MIDDLE = "fix D at cells (0,0) (1,0)\n", "fix D at cells (1,0) (2,0)\n"

#: Two copies, and a piece that fits in two ways of colours.
COPIES = "colours r b\nlocations box 2x3\npiece D x2 { xx }\npiece C { rb }\n"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("inside"), WebLimits(seconds=30, memory=2**29)) as found:
        yield found


def answer(path: str, **body: Any) -> dict[str, Any]:
    """Return the answer of the page without a server: all its messages in one."""
    found: dict[str, Any] = {}
    ask(path, json.dumps(body), lambda line: found.update(json.loads(line)))
    return found


def hint(text: str, *placed: list[int]) -> tuple[Any, Any]:
    """Return a solution for pieces on the board, each with its number and its locations, and the wrong pieces."""
    found = answer("solve", text=text, goal="hint", placed=placed)
    assert found["why"] == "complete"
    return found["solution"], found["wrong"]


def test_the_game_of_a_text_has_all_placements_and_the_fixed_pieces() -> None:
    free, fixed = answer("play", text=ROW), answer("play", text=ROW + MIDDLE)
    assert fixed["game"] == free["game"]
    assert (free["placed"], fixed["placed"]) == ([], [[0, [1, 2]]])
    assert free["cells"] == [[at, 0] for at in range(5)]
    assert [len(piece["forms"][0]["at"]) for piece in free["game"]["pieces"]] == [4, 3]
    colours = [answer("play", text=ROW, palette=name)["game"]["pieces"][0]["fill"] for name in ("standard", "wood")]
    assert len(set(colours)) == 2


def test_a_hint_is_a_solution_with_the_fixed_pieces_or_names_the_wrong_ones() -> None:
    both = [[0, [0, 1], None], [1, [2, 3, 4], None]]
    assert hint(ROW, [0, 0, 1]) == hint(ROW + FIRST) == hint(ROW + FIRST, [1, 2, 3, 4]) == (both, [])
    assert hint(ROW, [0, 0, 1], [1, 2, 3, 4]) == (both, [])
    solution, wrong = hint(ROW, [0, 1, 2])
    assert (len(solution), wrong) == (2, [[0, [1, 2]]])
    assert hint(ROW + MIDDLE) == hint(ROW.replace("5x1", "4x1")) == (None, [])
    solution, wrong = hint(COPIES, [0, 0, 2], [0, 1, 3])
    assert wrong == []
    assert sorted(solution[:2]) == [[0, [0, 2], None], [0, [1, 3], None]]
    assert solution[2][2] in ([1, 2], [2, 1])


def test_a_hint_of_a_burr_comes_apart_if_a_solution_does() -> None:
    puzzle = load("burrs/six-piece-2")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.span is not None
    text = puzzle.span.source.text
    best = compared(compile(puzzle)).best
    assert best is not None
    assert best.number > 1, "the first solution does not come apart"
    placed = [[placement.number, list(placement.locations), None] for placement in best.solution.placements]
    assert hint(text) == (placed, [])


def test_a_hint_names_the_fewest_pieces() -> None:
    """The first piece leaves a hole, so that it alone is wrong; without it, the other two agree with a solution."""
    text = find("pentominoes/6x10").read_text()  # type: ignore[union-attr]
    solution, _ = hint(text)
    cells = answer("play", text=text)["cells"]
    cross_number = "FILNPTUVWXYZ".index("X")
    taken = {at for piece, locations, _ in solution[:2] for at in locations}
    corners = [[(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)], [(4, 1), (3, 0), (3, 1), (3, 2), (5, 1)]]
    numbers = [[cells.index(list(at)) for at in corner] for corner in corners]
    cross = next(corner for corner in numbers if taken.isdisjoint(corner))
    right = [[piece, *locations] for piece, locations, _ in solution[:2]]
    found, wrong = hint(text, [cross_number, *cross], *right)
    assert [piece for piece, _ in wrong] == [cross_number]
    for placed in solution[:2]:
        assert placed in found


def test_what_cannot_be_played_says_why() -> None:
    found = answer("play", text="lattice none\nlocations names a b\npiece A { a b }\n")
    assert found["why"] == "faulty"
    found = answer("play", text="2 2\nA 1 1\nB 1 1\n", format="compact")
    assert found["why"] == "faulty"
    tiles = "colours r b\nlocations box 2x1\npiece A sides r r b b\npiece B sides r b b r\n"
    assert answer("play", text=tiles)["diagnostics"][0]["code"] == "PZ504"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("edit", {"change": {"do": "fix"}}),
        ("edit", {"change": {"do": "fix", "put": [["D", [["0"]]]], "take": []}}),
        ("edit", {"change": {"do": "fix", "put": [["D", []]], "take": []}}),
        ("moves", {"solution": [[0], [0]], "there": [0, 1], "shifts": [[0, 0]], "walled": True}),
        ("moves", {"solution": "all", "there": [], "shifts": [], "walled": True}),
        ("moves", {"solution": [[0], [0]], "there": [0], "shifts": [[10**9, 0]], "walled": True}),
        ("solve", {"goal": "hints"}),
        ("solve", {"goal": "hint"}),
        ("solve", {"goal": "hint", "placed": [0, 1]}),
        ("solve", {"goal": "given"}),
        ("solve", {"goal": "given", "placements": [0, 1]}),
    ],
)
def test_malformed_requests_are_refused(here: Running, path: str, body: dict[str, Any]) -> None:
    found = here.post(f"/api/{path}", {"text": ROW, "page": "a", **body})
    assert found.status == 400, found.body


def test_a_solution_that_a_link_has_is_shown_only_if_it_belongs_to_the_text() -> None:
    good, bad = ROW_SOLVED, [[1], [2]]
    found = answer("solve", text=ROW, goal="given", placements=good)
    assert (found["why"], found["found"], found["solutions"]) == ("some", "1", [good])
    assert found["data"]["solutions"]["number"] == 1
    for wrong in (bad, [[0]], [[0], [99]], [[0], [2], [0]]):
        assert answer("solve", text=ROW, goal="given", placements=wrong)["diagnostics"][0]["code"] == "PZ608"


def test_moves_of_another_solution_are_refused() -> None:
    state = {"there": [0, 1], "shifts": [[], []], "walled": True}
    assert answer("moves", text=ROW, solution=[[1], [2]], **state)["diagnostics"][0]["code"] == "PZ608"
    moves = answer("moves", text=ROW, solution=ROW_SOLVED, **state)
    assert moves["whole"]
    assert [0] in [move[0] for move in moves["moves"]]


def centre(page: Any, selector: str, number: int = 0) -> tuple[float, float]:
    box = page.locator(f"#play-table {selector}").nth(number).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def playing(here: Running, tab: Open, text: str, **settings: Any) -> Tab:
    """Open the page on a text, with the game shown."""
    seen = tab(here.served.address, **{"width": 1440, "height": 860, **settings})
    begins(seen.page)
    write(seen.page, text)
    says(seen.page, "#title", "Row")
    says(seen.page, VERDICT, "no errors")
    seen.page.click("#tab-play")
    seen.page.locator("#play-table .piece").first.wait_for()
    return seen


def says_in_game(page: Any, text: str) -> None:
    says(page, "#play-table #status", text)


#: Returns the references of elements to an id that is not there exactly once.
UNCLEAR = """["aria-describedby", "aria-labelledby", "aria-controls", "for"].flatMap((name) =>
  [...document.querySelectorAll(`[${name}]`)].flatMap((each) => each.getAttribute(name).split(" "))
).filter((id) => document.querySelectorAll(`[id="${id}"]`).length !== 1)"""


def test_each_description_in_the_page_is_that_of_its_element(here: Running, tab: Open) -> None:
    page = playing(here, tab, ROW).page
    assert page.evaluate(UNCLEAR) == []
    assert page.locator("#play-table [aria-describedby=board-help]").count() == 1


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=8)
    page.mouse.up()


def progress(page: Any, words: str) -> None:
    says(page, "#play-table #progress", words)


def test_a_dragged_piece_leaves_the_text_alone_and_hints_solve(here: Running, tab: Open) -> None:
    seen = playing(here, tab, ROW)
    page = seen.page
    cell = centre(page, ".cell", 1)
    drag(page, centre(page, ".piece", 0), (cell[0] + 20, cell[1]))
    says_in_game(page, "D is placed at column 2, row 1.")
    page.click("#play-table #hint")
    says_in_game(page, "No solution from here: take back D.")
    page.locator("#play-table .wrong").wait_for(state="attached")
    drag(page, centre(page, ".placed g"), (centre(page, ".cell", 0)[0] + 20, cell[1]))
    says_in_game(page, "D is placed at column 1, row 1.")
    assert findings(page) == []
    page.click("#play-table #hint")
    says_in_game(page, "Hint: T is placed at column 3, row 1. Solved!")
    progress(page, "5 of 5")
    page.click("#play-table #reset")
    progress(page, "0 of 5")
    page.keyboard.press("Control+Z")
    progress(page, "5 of 5")
    page.click("#play-table #back")
    says_in_game(page, "The last step was taken back.")
    progress(page, "2 of 5")
    page.click("#play-table #solve")
    says_in_game(page, "This is one solution.")
    assert page.locator("#play-table #end").is_hidden()
    assert page.locator("#play-table .wave").count() == 0
    assert page.input_value("#source") == ROW
    seen.keep("serve-play")
    page.reload()
    page.click("#tab-play")
    progress(page, "5 of 5")
    says_in_game(page, "This is one solution.")


def test_placed_pieces_are_written_as_fix_statements_on_purpose_only(here: Running, tab: Open) -> None:
    page = playing(here, tab, ROW).page
    page.locator("#play-table #write:disabled").wait_for()
    drag(page, centre(page, ".piece", 0), centre(page, ".cell", 0))
    progress(page, "2 of 5")
    page.click("#play-table #write")
    becomes(page, ROW + FIRST)
    says_in_game(page, "1 placed piece is now a fix statement of the text.")
    page.locator("#play-table #write:disabled").wait_for()
    # The piece of the text stays where it is.
    page.click("#play-table #reset")
    drag(page, centre(page, ".placed g"), centre(page, ".cell", 4))
    says_in_game(page, "The puzzle fixes D there.")
    page.click("#play-table #solve")
    says_in_game(page, "This is one solution.")
    # What is typed there is on the board. A piece of the player makes room.
    write(page, ROW + "fix D at cells (3,0) (4,0)\n")
    progress(page, "2 of 5")
    assert page.locator("#play-table .placed g").count() == 1
    # Without the statement, the piece is one of the player.
    write(page, ROW)
    page.locator("#play-table #write:enabled").wait_for()
    page.click("#play-table #reset")
    progress(page, "0 of 5")


def test_keys_play_and_an_error_in_the_text_stops_the_game(here: Running, tab: Open) -> None:
    seen = playing(here, tab, ROW.replace("box 5x1", "box 1x5"), width=1000, dark=True)
    page = seen.page
    page.focus("#play-table .piece >> nth=0")
    page.keyboard.press("Enter")
    says_in_game(page, "D fits nowhere in this orientation. Rotate it.")
    page.keyboard.press("r")
    says_in_game(page, "D at column 1, row 1: free")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    progress(page, "2 of 5")
    page.keyboard.press("h")
    says_in_game(page, "No solution from here: take back D.")
    assert findings(page) == []
    page.keyboard.press("Backspace")
    says_in_game(page, "The last step was taken back.")
    write(page, ROW.replace("piece D", "peice D"))
    says(page, "#play-why", "Line 3 has an error")
    page.locator("#play[inert]").wait_for(state="attached")
    write(page, "lattice none\nlocations names a b\npiece A { a b }\n")
    says(page, "#play-why", "")


def test_a_flat_piece_turns_out_of_its_room(here: Running, tab: Open) -> None:
    seen = tab(f"{here.served.address}#turns/one-room", width=1440, height=860)
    page = seen.page
    page.locator("#numbers div").first.wait_for(state="attached")
    page.click("#tab-play")
    page.locator("#play-table canvas[data-cursor]").wait_for()
    page.click("#play-table #hint")
    says_in_game(page, "Solved!")
    page.click("#play-table #apart")
    page.locator("#play-table .piece").click()
    page.click("#play-table #bodies button:has-text('Rotate')")
    says_in_game(page, "A turns.")
    page.click("#play-table #hint")
    says_in_game(page, "Hint: A moves to the right. All pieces are apart!")


def test_a_thumb_plays_on_a_phone(here: Running, tab: Open) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=390, height=844, touch=True)
    page = seen.page
    page.locator("#numbers div").first.wait_for(state="attached")
    page.tap("#tab-play")
    page.locator("#play-table .piece").first.wait_for()
    page.tap("#play-table #hint")
    says_in_game(page, "Hint: V is placed")
    page.locator("#play-table .piece").nth(1).tap()
    page.tap("#play-table #turns button:nth-child(2)")
    says_in_game(page, "is rotated.")
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    sizes = page.locator("#play-table").evaluate(
        "each => [...each.shadowRoot.querySelectorAll('button')].filter(one => one.checkVisibility())"
        ".map(one => one.getBoundingClientRect())"
    )
    assert min(min(size["width"], size["height"]) for size in sizes) >= 43.5
    assert findings(page) == []
    seen.keep("serve-play-phone")


def test_an_assembly_is_taken_apart_by_hand(here: Running, tab: Open) -> None:
    seen = tab(f"{here.served.address}#interlocking/cube-3-level-4", width=1440, height=860)
    page = seen.page
    says(page, VERDICT, "no errors")
    page.click("#tab-solutions")
    page.click("#solve")
    page.click("#exploring summary")
    moves = page.locator("#exploring-moves button")

    def has(*words: str) -> None:
        page.wait_for_function(
            "words => JSON.stringify([...document.querySelectorAll('#exploring-moves button')]"
            ".map(each => each.textContent)) === words",
            arg=json.dumps(words, separators=(",", ":")),
        )

    has("C to the back")
    page.locator("#exploring-back:disabled").wait_for()
    moves.first.click()
    has("B to the right", "C to the front")
    says(page, "#viewer .status", "move 0 of 1")
    moves.first.focus()
    page.keyboard.press("Enter")
    says(page, "#viewer .status", "move 0 of 2")
    page.wait_for_function("() => document.activeElement.closest('#exploring-moves') !== null")
    page.click("#exploring-back")
    has("B to the right", "C to the front")
    assert findings(page) == []
    page.click("#exploring-whole")
    has("C to the back")
    seen.keep("serve-exploring")
    page.click("#exploring-hand")  # the game solves the puzzle first
    says_in_game(page, "Pull a piece")
    assert page.locator("#play-table #apart").text_content() == "Put together"


#: A bar that turns before it leaves its room.
BAR = """puzzle "Bar"
locations { x / x / x }
wall { xxxxx / x...x / x.... / x...x / xxxxx } at (-2,-1)
piece A { x / x / x }
turns
"""


def test_the_page_says_that_moves_by_hand_are_slides_if_pieces_turn(here: Running, tab: Open) -> None:
    page = tab(here.served.address, width=1440, height=860).page
    begins(page)
    write(page, BAR)
    says(page, "#title", "Bar")
    says(page, VERDICT, "no errors")
    page.click("#tab-solutions")
    page.click("#solve")
    page.click("#exploring summary")
    says(page, "#exploring-why", "Turns are not listed.")
    assert page.locator("#exploring-moves button").all_text_contents() == ["A to the left", "A to the right"]
    for _ in range(2):
        page.locator("#viewer canvas").press(",")
        page.wait_for_timeout(1000)  # the pieces move; on a busy machine, a second key in that time was lost once
    says(page, "#exploring-why", "A piece has turned.", 60)
    assert page.locator("#exploring-moves button").count() == 0
    page.click("#exploring-back")
    page.click("#exploring-whole")
    says(page, "#exploring-why", "Turns are not listed.")
    assert page.locator("#exploring-moves button").count() == 2
