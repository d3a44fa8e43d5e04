"""The plans of the solutions on a page, and what happens if their time is over."""

from __future__ import annotations

import time
from typing import Any

from puzzlec.make.outputs import subject
from puzzlec.motion.shown import Plans
from puzzlec.pipeline import compile, load
from puzzlec.services.web.solving import solve
from puzzlec.show.page import page_data
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
    encoding = compile(load(BURR), "cover")
    sent: list[tuple[str, dict[str, Any]]] = []
    solve(encoding, {"goal": "first", "memory": 2**29}, 60, lambda event, **more: sent.append((event, more)))
    assert [event for event, _ in sent if event != "progress"] == ["view", "planning", "view", "end"]
    first, last = (more for event, more in sent if event == "view")
    assert first["data"]["plans"] == ["open"]
    assert last["data"] == page_data(assembled(BURR))
    assert last["solutions"] == first["solutions"]
