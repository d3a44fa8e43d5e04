"""A solve in a worker: progress and solutions are told while it goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from puzzlec.engine import Limits, Stop
from puzzlec.engine.progress import Progress
from puzzlec.ir import Solution
from puzzlec.lower import Encoding
from puzzlec.render.subject import Subject
from puzzlec.solutions import Solutions
from puzzlec.web.tasks import Tell, told

#: Progress is told in these steps (seconds).
STEP = 0.2

#: So many solutions are shown at most.
MOST = 1000

#: Solutions that come one by one are shown again when there are twice as many, but not in shorter steps (seconds).
PAUSE = 0.7


def solve(encoding: Encoding, task: dict[str, Any], seconds: float, tell: Tell) -> None:
    """Look for solutions as a task says, for so many seconds; tell ``progress``, ``view`` and an ``end``.

    ``goal`` is ``first``, ``some`` (``limit`` says how many) or ``count``; ``raw`` whether those that are turned or
    mirrored others are wanted, too.
    """
    goal = task.get("goal", "first")
    limit = {"first": 1, "some": min(MOST, task.get("limit") or MOST), "count": None}[goal]
    symmetry = "none" if task.get("raw") else "all"
    # Tables for counting may take half of what there is.
    solutions = Solutions(encoding, limits=Limits(limit, seconds), symmetry=symmetry, memory=task["memory"] // 2)
    begun = time.monotonic()
    with _progress(solutions, tell):
        if goal == "count":
            solutions.count()
        else:
            _find(solutions, tell)
    number = solutions.number
    partial = solutions.stopped in (Stop.SECONDS, Stop.NODES)
    tell(
        "end",
        why="limit" if partial else "some" if solutions.stopped is Stop.SOLUTIONS else "complete",
        found=str(number),
        counted=solutions.counted(number),
        seconds=time.monotonic() - begun,
        nodes=solutions.nodes,
        diagnostics=told(solutions.reasons),
    )


def _find(solutions: Solutions, tell: Tell) -> None:
    """Look for solutions; tell of the first one at once, of more now and then, of all in the end."""
    found: list[Solution] = []
    told_of, when = 0, 0.0
    for solution in solutions:
        found.append(solution)
        if len(found) >= max(1, 2 * told_of) and time.monotonic() - when > PAUSE:
            view(solutions, found, tell)
            told_of, when = len(found), time.monotonic()
    if len(found) > told_of:
        view(solutions, found, tell)


def view(solutions: Solutions, found: list[Solution], tell: Tell) -> None:
    """Tell the solutions found so far: what the viewer shows, and the placements by which they are known again."""
    from puzzlec.render.page import page_data

    subject = Subject(solutions.fitting, tuple(found))
    tell("view", data=page_data(subject), solutions=[each.orientations for each in found])


@contextmanager
def _progress(solutions: Solutions, tell: Tell) -> Iterator[None]:
    """Tell how far a search has come, from a thread of its own, while a block runs."""
    over = threading.Event()

    def run() -> None:
        while not over.wait(STEP):
            told_now = as_data(solutions.progress())
            if not over.is_set():
                tell("progress", **told_now)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def as_data(now: Progress) -> dict[str, Any]:
    """Return a progress as plain data; numbers of solutions may be too large for the page's own, and are texts."""
    return {**now._asdict(), "solutions": str(now.solutions)}
