"""What requests of the page may ask for, in this process, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest

from puzzlec.services.web import RefusalError
from puzzlec.services.web.answers import MAX_NAMES, complete_task, patience, solve_task, task

TEXT = "locations box 2x1\npiece D { xx }\n"


@pytest.mark.parametrize(("asked", "seconds"), [(3, 3), (2.5, 2.5), (60, 20), (0, 20), (-1, 20), (None, 20), ("3", 20)])
def test_a_request_has_the_seconds_that_it_asks_for_up_to_the_limit(asked: object, seconds: float) -> None:
    assert patience({"seconds": asked}, 20) == seconds


@pytest.mark.parametrize("pieces", ["D", [1], ["D", None], ["D"] * (MAX_NAMES + 1), {"D": 1}])
def test_known_pieces_are_a_list_of_names(pieces: object) -> None:
    with pytest.raises(RefusalError, match="names of pieces"):
        complete_task({"text": TEXT, "at": 0, "pieces": pieces})
    assert complete_task({"text": TEXT, "at": 0, "pieces": ["D"] * MAX_NAMES})["pieces"] == ["D"] * MAX_NAMES


@pytest.mark.parametrize(
    ("goal", "key", "numbers", "reason"),
    [
        ("hint", "placed", [[0, 0, 1]], "pieces on the board"),
        ("given", "placements", [[0]], "of a solution"),
    ],
)
def test_a_hint_needs_the_pieces_on_the_board_and_a_given_solution_its_placements(
    goal: str, key: str, numbers: list[list[int]], reason: str
) -> None:
    asked = solve_task({"text": TEXT, "goal": goal, key: numbers})
    assert (asked["goal"], asked[key]) == (goal, numbers)
    for wrong in (None, "0", [["0"]], [0]):
        with pytest.raises(RefusalError, match=reason):
            solve_task({"text": TEXT, "goal": goal, key: wrong})


def test_a_task_has_a_puzzle_of_the_catalogue_the_file_of_its_name_or_none() -> None:
    def name(**more: Any) -> str:
        return str(task({"text": TEXT, **more}, lambda name: f"/folder/{name}")["name"])

    assert name(catalogue="soma/castle").endswith("castle.puzzle")
    assert name(name="mine.puzzle") == "/folder/mine.puzzle"
    assert name() == name(name="../mine.puzzle") == "puzzle.puzzle"
    for outside in ("../soma/castle", "soma/../soma/castle", "soma//castle", "soma/castle.puzzle", "/etc/passwd"):
        assert name(catalogue=outside) == "puzzle.puzzle"


def test_words_that_the_page_needs_later_are_in_parts_of_their_own() -> None:
    pytest.importorskip("starlette", reason="the extra `web` is not installed")
    from puzzlec.services.web import app

    def words(part: str = "") -> set[str]:
        return set(json.loads(app._words("en", part)())["words"])

    later = {part: words(part) for part in app._LATER}
    for part, those in later.items():
        assert those
        assert all(key.startswith(f"{part}.") for key in those)
    assert words()
    assert words().isdisjoint(set().union(*later.values()))


@pytest.mark.parametrize(
    ("limit", "kept"), [(1, 1), (5, 5), (0, None), (-1, None), (None, None), ("5", None), (1.5, None)]
)
def test_a_limit_is_a_positive_integer_or_none(limit: object, kept: int | None) -> None:
    assert solve_task({"text": TEXT, "limit": limit})["limit"] == kept
