"""The plans of the solutions on a page, and what happens if their time is over."""

from __future__ import annotations

import time
from typing import Any

import pytest

from puzzlec.compiler import compile, load
from puzzlec.make.outputs import subject
from puzzlec.motion.shown import Plans
from puzzlec.services.web.solving import solve
from puzzlec.show.page.data import page_data
from puzzlec.solving.subject import Subject

BURR = "burrs/six-piece-1"


def assembled(name: str) -> Subject:
    return subject(name, 1)


def test_a_plan_without_time_is_open_and_can_be_finished() -> None:
    shown = assembled(BURR)
    assert shown.fitting.puzzle is not None
    plans = Plans(shown.fitting.puzzle, seconds=-1)
    assert plans.of(shown.solutions) == ["open"]
    before = plans.is_late
    assert plans.finish(time.monotonic() + 60)
    assert (before, plans.is_late) == (True, False)
    assert plans.of(shown.solutions) == Plans(shown.fitting.puzzle).of(shown.solutions) != ["open"]


def test_pieces_that_hold_together_are_searched_again_if_time_ended_the_first_search(monkeypatch: Any) -> None:
    shown = assembled("balls/kanoodle-pyramid")
    assert shown.fitting.puzzle is not None
    plans = Plans(shown.fitting.puzzle)
    clock = time.monotonic

    def slow(*_: object) -> bool:
        monkeypatch.setattr(time, "monotonic", lambda: clock() + 3600)
        return True

    with monkeypatch.context() as patched:
        patched.setattr("puzzlec.motion.shown.Planner._needs_search", slow)
        first = plans.of(shown.solutions)
    monkeypatch.setattr(time, "monotonic", clock)
    assert plans.is_late
    assert plans.finish(time.monotonic() + 60)
    assert plans.of(shown.solutions) == Plans(shown.fitting.puzzle).of(shown.solutions) != first


def test_a_plan_that_stays_open_changes_nothing() -> None:
    shown = assembled(BURR)
    assert shown.fitting.puzzle is not None
    plans = Plans(shown.fitting.puzzle, seconds=-1)
    plans.of(shown.solutions)
    assert not plans.finish(time.monotonic() - 1)
    assert plans.of(shown.solutions) == ["open"]


def test_a_solve_sends_its_solution_again_when_the_moves_are_known(monkeypatch: Any) -> None:
    monkeypatch.setattr("puzzlec.services.web.solving.MOVES", -1.0)
    encoding = compile(load(BURR))
    sent: list[tuple[str, dict[str, Any]]] = []
    solve(encoding, {"goal": "first", "memory": 2**29}, 60, lambda event, **more: sent.append((event, more)))
    assert [event for event, _ in sent if event != "progress"] == ["view", "planning", "view", "end"]
    first, last = (more for event, more in sent if event == "view")
    assert first["data"]["plans"] == ["open"]
    assert last["data"] == page_data(assembled(BURR))
    assert last["solutions"] == first["solutions"]


def sent_by(name: str, goal: str) -> list[tuple[str, dict[str, Any]]]:
    """The messages of a solve."""
    sent: list[tuple[str, dict[str, Any]]] = []
    encoding = compile(load(name))
    solve(encoding, {"goal": goal, "memory": 2**29}, 60, lambda event, **more: sent.append((event, more)))
    return sent


@pytest.mark.parametrize(("goal", "number", "start"), [("first", 1, 0), ("some", 144, 27)])
@pytest.mark.long
def test_a_solve_shows_the_best_assembly_of_a_burr_and_says_which_one_it_is(goal: str, number: int, start: int) -> None:
    best, sent = subject("burrs/six-piece-2").shown, sent_by("burrs/six-piece-2", goal)
    assert best is not None
    last = [more for event, more in sent if event == "view"][-1]
    assert (len(last["solutions"]), last["data"].get("start", 0)) == (number, start)
    assert last["solutions"][start] == best.orientations
    assert sent[-1][1]["shown"] == {"assembly": 28, "level": "5.4", "apart": 1, "assemblies": 144, "complete": True}


def test_a_solve_of_other_puzzles_compares_nothing() -> None:
    assert sent_by("soma", "first")[-1][1]["shown"] is None
