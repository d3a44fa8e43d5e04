"""The one loop that decides who searches: when tasks have turns, how long these are, and which outcome counts."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from puzzlec.engine import Limits, Search, Stop
from puzzlec.engine.progress import Progress
from puzzlec.engine.search import selection
from puzzlec.engine.search.race import NO_ANSWER, Quick, Race, RaceOutcome, Schedule, Scheduled, Task, _Entrant
from puzzlec.engine.search.selection import KernelName
from tests.engine.test_search import squares

ROOT = Path(__file__).parents[2]


class Walker(Task):
    """A task of a number of nodes that notes its slices, each of at most 100 nodes."""

    def __init__(self, name: str, size: int, log: list[tuple[str, int]], answer: RaceOutcome = NO_ANSWER) -> None:
        super().__init__()
        self.name, self.size, self.log, self.answer = name, size, log, answer

    def advance(self, budget: int) -> None:
        step = min(budget, 100, self.size - self.nodes)
        assert step > 0
        self.nodes += step
        self.before = self.nodes / self.size
        self.log.append((self.name, step))
        if self.nodes == self.size:
            self.outcome = self.answer

    def progress(self) -> Progress:
        return Progress(self.before, self.nodes)


def race(leader: Task, others: Iterable[Scheduled]) -> RaceOutcome | None:
    """Run a race to its end."""
    running = Race(leader, others)
    while running.advance():
        pass
    return running.outcome


def turns(log: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The nodes of each turn, all its slices together."""
    joined: list[tuple[str, int]] = []
    for name, step in log:
        if joined and joined[-1][0] == name:
            joined[-1] = name, joined[-1][1] + step
        else:
            joined.append((name, step))
    return joined


#: A task that has one turn and no answer, and how it gets into each count.
NO_HELP = """
from puzzlec.engine.progress import Progress
from puzzlec.engine.search.race import NO_ANSWER, Task

class NoHelp(Task):
    turns = 0

    def advance(self, budget):
        NoHelp.turns += 1
        self.outcome = NO_ANSWER

    def progress(self):
        return Progress()
"""
BEFORE = "    tasks = [\n"
AFTER = f"    from puzzlec.engine.search.no_help import NoHelp\n{BEFORE}        (NoHelp(), Schedule()),\n"
TRIED = """
from puzzlec.engine import ExactCover, count
from puzzlec.engine.search.no_help import NoHelp

size = 10
queens = [
    [row, size + column, 2 * size + row + column, 5 * size - 2 + row - column]
    for row in range(size) for column in range(size)
]
print(count(ExactCover.from_rows(queens, 2 * size, 4 * size - 2)), NoHelp.turns)
"""


def test_a_heuristic_is_one_file_and_one_row(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "puzzlec", tmp_path / "puzzlec", ignore=shutil.ignore_patterns("__pycache__"))
    counting = tmp_path / "puzzlec" / "engine" / "search" / "counting.py"
    counting.with_name("no_help.py").write_text(NO_HELP, encoding="utf-8")
    text = counting.read_text(encoding="utf-8")
    assert text.count(BEFORE) == 1
    counting.write_text(text.replace(BEFORE, AFTER), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", TRIED], capture_output=True, text=True, cwd=tmp_path, timeout=100, check=True
    )
    assert done.stdout == "724 1\n"


@pytest.mark.parametrize("name", ["puzzlec/engine/search/", "counting.py", "race.py", "spec.py", "test_tree.py"])
def test_the_recipe_of_a_heuristic_names_its_files(name: str) -> None:
    recipe = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## A heuristic\n")[1].split("\n## ")[0]
    assert name in recipe


def test_turns_grow_and_take_their_share_of_the_nodes_of_the_leader() -> None:
    log: list[tuple[str, int]] = []
    leader, other = Walker("leader", 100_000, log), Walker("other", 2_000, log, RaceOutcome(7))
    outcome = race(leader, [(other, Schedule(1000, growth=4, share=1 / 4))])
    assert outcome == RaceOutcome(7)
    assert turns(log) == [
        ("leader", 1000), ("other", 250), ("leader", 3000), ("other", 750), ("leader", 12_000), ("other", 1000)
    ]  # fmt: skip


def test_a_task_without_growth_has_one_turn_and_without_an_answer_the_race_continues() -> None:
    log: list[tuple[str, int]] = []
    leader = Walker("leader", 500, log, RaceOutcome(3))
    running = Race(leader, [(Walker("other", 900, log), Schedule(200))])
    while running.advance():
        pass
    assert turns(log) == [("leader", 200), ("other", 900), ("leader", 300)]
    assert (running.winner, running.nodes) == (leader, 1400)


def test_a_task_that_is_due_at_once_waits_until_the_leader_has_taken_longer_than_a_moment() -> None:
    class Slow(Walker):
        @property
        def moment(self) -> int:
            return 300

    log: list[tuple[str, int]] = []
    tasks = [(Walker(name, 100, log), Schedule()) for name in ("first", "second")]
    race(Slow("leader", 400, log, RaceOutcome(0)), tasks)
    assert turns(log) == [("leader", 300), ("first", 100), ("second", 100), ("leader", 100)]


def test_a_leader_near_its_end_is_left_alone() -> None:
    log: list[tuple[str, int]] = []
    race(Walker("leader", 2000, log, RaceOutcome(1)), [(Walker("other", 10, log), Schedule(1000, far=0.4))])
    assert turns(log) == [("leader", 2000)]
    race(Walker("leader", 2000, log, RaceOutcome(1)), [(Walker("other", 10, log), Schedule(1000, far=0.5))])
    assert ("other", 10) in log


class Prophet(Walker):
    """A task that expects to need some nodes more than it will."""

    def __init__(self, name: str, size: int, log: list[tuple[str, int]], effort: float, more: float = 0) -> None:
        super().__init__(name, size, log, RaceOutcome(7))
        self.weight, self.more = effort, more

    @property
    def effort(self) -> float:
        return self.weight

    def expected(self) -> float:
        return self.size - self.nodes + self.more


@pytest.mark.parametrize(
    ("size", "effort", "more", "hope", "winner"),
    [
        (30_000, 1.0, 0, 1.0, "other"),  # it needs fewer nodes than the leader has left
        (30_000, 4.0, 0, 1.0, "leader"),  # but each takes four times as long
        (30_000, 4.0, 0, 2.0, "other"),  # which may still be less than expected
        (30_000, 1.0, 200_000, 1.0, "leader"),  # it expects too many
        (30_000, 1.0, math.inf, 1.0, "leader"),  # it knows nothing
        (900, 1.0, math.inf, 1.0, "other"),  # its first turn is enough
        (900, 1.0, math.inf, 0.0, "other"),
        (30_000, 1.0, 0, 0.0, "leader"),  # it has no more than its share
    ],
)
def test_a_turn_continues_by_the_prospects(size: int, effort: float, more: float, hope: float, winner: str) -> None:
    log: list[tuple[str, int]] = []
    leader, other = Walker("leader", 100_000, log, RaceOutcome(3)), Prophet("other", size, log, effort, more)
    running = Race(leader, [(other, Schedule(1000, growth=200, hope=hope))])
    while running.advance():
        pass
    assert running.winner is {"leader": leader, "other": other}[winner]
    assert turns(log)[0] == ("leader", 1000)
    if winner == "other":
        assert turns(log)[1:] == [("other", size)]
    else:  # a turn was as long as the leader's, and the next one never came
        assert [name for name, _ in turns(log)] == ["leader", "other", "leader"]
        assert turns(log)[1] == ("other", int(1000 / effort))


def test_an_estimate_that_grows_is_expected_to_grow_again_twice_as_fast() -> None:
    leader = Walker("leader", 10_000, [])
    entrant = _Entrant(Prophet("other", 10, [], 1.0), Schedule(1000, growth=2, hope=1.0), 0)
    leader.nodes, leader.before = 100, 0.1
    entrant.estimate(leader)
    assert (entrant.whole, entrant.likely) == (1000, 1000)
    leader.nodes, leader.before = 600, 0.2  # three times as large
    entrant.estimate(leader)
    assert entrant.whole == 3000
    assert entrant.likely == pytest.approx(3000 * 3**2)
    leader.nodes, leader.before = 750, 0.5  # and half
    entrant.estimate(leader)
    assert (entrant.whole, entrant.likely) == (1500, 1500)


def test_a_leader_that_is_slow_after_dead_branches_probably_has_far_more_nodes() -> None:
    likely = []
    for before in (0.24, 0.2001):  # at its old pace, and 400 times slower
        leader = Walker("leader", 10_000, [])
        entrant = _Entrant(Prophet("other", 10, [], 1.0), Schedule(1000, growth=2, hope=1.0), 0)
        leader.nodes, leader.before = 1000, 0.2
        entrant.estimate(leader)
        leader.nodes, leader.before = 1200, before
        entrant.estimate(leader)
        likely.append(entrant.likely)
        assert entrant.whole == pytest.approx(1200 / before)
    assert likely[0] == pytest.approx(5000, rel=0.3)
    assert 100_000 < likely[1] < 0.8 * 200 / 0.0001, "between both estimates"


def test_limits_end_a_race_without_an_outcome() -> None:
    for limits, stopped in ((Limits(nodes=250), Stop.NODES), (Limits(seconds=0), Stop.SECONDS)):
        log: list[tuple[str, int]] = []
        running = Race(Walker("leader", 500, log), [], limits)
        while running.advance():
            pass
        assert (running.stopped, running.outcome) == (stopped, None)
        assert sum(step for _, step in log) == (limits.nodes or 0)


def test_the_progress_is_that_of_the_leader_or_of_the_task_that_has_taken_over() -> None:
    class Measured(Walker):
        def progress(self) -> Progress:
            return Progress(0.75, self.nodes, seconds=1.0, doing="instead")

    for schedule, fraction in ((Schedule(100), 0.75), (Schedule(100, growth=2), 0.1)):
        log: list[tuple[str, int]] = []
        running = Race(Walker("leader", 1000, log), [(Measured("other", 200, log), schedule)])
        while "other" not in dict(log):
            running.advance()
        now = running.progress()
        assert (now.fraction, now.nodes, now.doing) == (fraction, 200, "instead")


@pytest.mark.parametrize("kernel", ["auto", "python", "lists", "bits"])
def test_a_task_beside_a_search_has_its_turn_after_a_moment_and_may_end_it(
    kernel: KernelName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "experience", selection.Experience())
    asked = []

    def end() -> RaceOutcome:
        asked.append(1)
        return RaceOutcome(0, complete=False)

    assert Search(squares(3), limits=None, kernel=kernel, others=[(Quick(end), Schedule())]).count() == 12
    assert not asked
    search = Search(squares(5), limits=None, kernel=kernel, others=[(Quick(end), Schedule())])
    assert search.count() < 161280
    assert (search.stopped, search.complete, len(asked)) == (None, False, 1)
    # A compiled kernel visits 40000 nodes in the time of 4000 in Python.
    assert search.nodes == (
        selection.NODES_BEFORE_NUMBA if kernel in ("auto", "python") else 10 * selection.NODES_BEFORE_NUMBA
    )


def test_turns_beside_a_search_do_not_change_it() -> None:
    log: list[tuple[str, int]] = []
    other = Walker("other", 10**9, log)
    beside = Search(squares(4), limits=None, kernel="bits", others=[(other, Schedule(50_000, growth=2, more=50_000))])
    alone = Search(squares(4), limits=None, kernel="bits")
    assert list(beside) == list(alone)
    assert (beside.nodes, beside.profile) == (alone.nodes, alone.profile)
