"""The stages that the page shows: texts, the exact cover, and the search as a tree to step through."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

import puzzlec
from puzzlec.formats import catalogue
from puzzlec.services.web import answers, local, showing
from puzzlec.services.web.answers import solve_task
from puzzlec.services.web.jobs import WebLimits
from puzzlec.services.web.local import ask
from puzzlec.services.web.showing import LINES, NODES, OPTIONS
from tests.browser import Tab
from tests.services.web.serving import Running, running
from tests.services.web.test_in_the_browser import VERDICT, begins, says, write

Open = Callable[..., Tab]

STEP = 'puzzle "A step"\nlocations { xx./xxx }\npiece V { xx/x. }\npiece D { xx }\n'


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("inside"), WebLimits(seconds=30, memory=2**29)) as found:
        yield found


def stages(text: str, **more: object) -> dict[str, Any]:
    """Return the answer of the page without a server."""
    found: dict[str, Any] = {}
    ask("stages", json.dumps({"text": text, **more}), lambda line: found.update(json.loads(line)))
    return found


def text_of(name: str) -> str:
    path = catalogue.find(name)
    assert path is not None
    return path.read_text(encoding="utf-8")


def test_the_server_and_the_worker_give_the_same_stages(here: Running) -> None:
    for choice in ("fewest", "first"):
        served = here.post("/api/stages", {"text": STEP, "page": "p", "choice": choice}).json
        assert served == stages(STEP, choice=choice)
    assert here.post("/api/stages", {"text": STEP, "choice": "last"}).status == 400


def test_an_exact_cover_has_no_text_of_a_fitting() -> None:
    cover = puzzlec.ExactCover.from_rows([[0], [1], [0, 1]], primary=2)
    assert showing.stages(cover, "fewest", "standard")["texts"] == {}


def test_a_request_counts_rotations_separately_only_if_raw_is_true() -> None:
    assert [solve_task({"text": STEP, "raw": raw})["raw"] for raw in (True, False, 1, None)] == [True, *[False] * 3]


def test_a_package_that_the_browser_lacks_is_no_error_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*_: object) -> None:
        raise ModuleNotFoundError(name="shapely")

    monkeypatch.setattr("puzzlec.services.web.local.do", lacking)
    found = stages(STEP)
    assert (found["why"], [error["code"] for error in found["diagnostics"]]) == ("lacking", ["PZ505"])


def test_the_texts_are_those_of_explain(tmp_path: Any) -> None:
    path = tmp_path / "step.puzzle"
    path.write_text(STEP)
    found = stages(STEP)
    for stage in ("puzzle", "fitting"):
        assert found["texts"][stage]["text"] == puzzlec.emit(str(path), stage).rstrip()
    assert len(stages(text_of("pentominoes/6x10"))["texts"]["fitting"]["text"].splitlines()) == LINES


def test_the_search_starts_with_the_item_of_fewest_options() -> None:
    found = stages(STEP)
    cover, nodes = found["cover"], found["nodes"]
    assert found["whole"]
    assert cover["items"][nodes[0][3]] == "2,1"
    assert sum(node[2] == "solution" for node in nodes) == 2
    assert [cover["labels"][node[1]] for node in nodes[1:]] == [
        "V 1,0 1,1 2,1",
        "D 0,0 0,1",
        "D 1,1 2,1",
        "V 0,0 1,0 0,1",
    ]
    assert cover["places"][0] == [0, 1, 2]


def test_a_large_search_is_cut_and_a_large_cover_is_refused_in_words() -> None:
    found = stages(text_of("soma/soma"))
    assert (len(found["nodes"]), found["whole"]) == (NODES, False)
    large = stages('puzzle "Large"\nlocations box 60x60\npiece D x* { xx }\n')
    assert large["size"]["options"] > OPTIONS
    assert "7,080 options" in large["large"]
    assert "nodes" not in large


@pytest.mark.parametrize("name", ["cover/six-sets", "queens/8", "latin/sudoku-17", "new/tiles", "sticks/stick-cutting"])
def test_covers_without_a_board_or_with_colours_have_stages(name: str) -> None:
    found = stages(text_of(name), catalogue=name)
    assert found["why"] == "complete"
    assert len(found["cover"]["labels"]) == len(found["cover"]["options"]) == found["size"]["options"]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("dominoes/4x4", ["flat"]),
        ("soma", ["solid"]),
        ("polysticks/tetrasticks-4x4", ["flat", "edges"]),
        ("balls/ball-room-cube", ["solid", "balls"]),
    ],
)
def test_what_is_shown_has_the_form_of_the_pieces(name: str, form: list[str]) -> None:
    assert showing.shown(puzzlec.compile(name, stage="fitting"))["form"] == form


def test_errors_are_diagnostics() -> None:
    assert stages("piece\n")["why"] == "faulty"


def test_a_class_steps_through_algorithm_x(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1280, height=860)
    page = seen.page
    begins(page)
    write(page, STEP)
    says(page, "#title", "A step")
    says(page, VERDICT, "no errors")
    page.click("#tab-stages")
    says(page, "#step-words", "Choose 2,1. No open item has fewer options left: 2.")
    page.click("#step-on")
    says(page, "#step-words", "Take V 1,0 1,1 2,1.")
    page.click("#step-solution")
    says(page, "#step-words", "solution 1")
    painted = page.locator("#stage-board path")
    seen.settles(page.locator(".matrix .taken").count, 2)
    seen.settles(page.locator("#tree li:visible").count, 3)
    seen.settles(lambda: painted.evaluate_all("paths => paths.filter(each => each.style.fill).length"), 5)
    seen.keep("stages-search")
    page.click("#step-back")
    says(page, "#step-words", re.compile("^Take D"))
    page.select_option("#step-rule", "first")
    says(page, "#step-words", "Choose V, the first open item. Options left: 5.")
    page.click("[data-value=cover]")
    seen.settles(page.locator(".matrix .row").count, 10)
    page.click("[data-value=placements]")
    page.locator("#placing input").press("ArrowRight")
    says(page, "#placed", "V 0,0 1,0 1,1")
    page.click("[data-value=cells]")
    says(page, ".stage-text", "piece V { xx/x. }")
    # Another text has other stages, and an error hides them.
    write(page, STEP.replace("piece D", "piece E").replace('"A step"', '"Another"'))
    says(page, ".stage-text", "piece E { xx }")
    write(page, "piece\n")
    says(page, "#stage-why", "Correct the text")


def checked(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    ask("check", json.dumps({"text": text}), lambda line: found.update(json.loads(line)))
    return found


def test_a_proof_that_only_counts_cells_colours_none() -> None:
    counted = checked("locations box 5x5\npiece A x0..9 { xxx }\n")["proof"]
    assert counted["cells"] == []
    assert counted["steps"]["en"]
    coloured = checked("locations box 5x4\npieces tetrominoes\n")["proof"]
    assert sorted({cell[-1] for cell in coloured["cells"]}) == [0, 1]


def test_a_proof_by_a_checkerboard_has_two_tones() -> None:
    board = "locations box 4x4 - cells (0,0) (3,3)\n"
    dominoes = checked(f"{board}piece D x7 {{ xx }}\n")["proof"]
    assert {cell[:2]: cell[2] for cell in map(tuple, dominoes["cells"])} == {
        (x, y): (x + y + 1) % 2 for x in range(4) for y in range(4) if (x, y) not in ((0, 0), (3, 3))
    }


def test_a_check_of_a_stored_text_is_its_last_message() -> None:
    answer = local.checked(answers.puzzle("soma"))
    assert (answer["event"], answer["why"], answer["diagnostics"]) == ("end", "complete", [])
