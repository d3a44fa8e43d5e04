"""Filters by how solutions come apart: `count --comes-apart`, `solve --comes-apart`, and conditions on levels."""

import inspect
import json
import os
import re
import signal
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import puzzlec
from puzzlec import PuzzleError, UnfinishedError, disassembling, parse, questions
from puzzlec.comes_apart import BestSolutionsApart, PieceSetsComeApart
from puzzlec.disassembling import ComesApart, is_apart
from puzzlec.engine import Limits, Stop
from puzzlec.formats.catalogue import find_entries
from puzzlec.generators.kind import GenerationEffort
from puzzlec.language.comparisons import NumberComparison, comparisons
from puzzlec.motion.disassembly import Disassembler, Disassembly
from puzzlec.recount import Outcome, verify
from tests.commands import run

#: The questions of the library.
QUESTIONS = (
    questions.best, questions.clues, questions.count, questions.count_by_cost, questions.estimate,
    questions.every_solution, questions.sets, questions.solve, questions.sweep,
)  # fmt: skip

#: A burr with two assemblies. One of them comes apart, with level 6.4.
BURR = "burrs/six-piece-6"
LOOSE = "locations { x.x.x.x/......./x.x.x.x/......./x.x.x.x/......./x.x.x.x }\npiece dot x16 { x }\n"


def test_count_and_solve_take_only_solutions_that_come_apart() -> None:
    assert run("count", BURR).stdout == "2\n"
    counted = run("count", BURR, "--comes-apart")
    assert (counted.returncode, counted.stdout) == (0, "1\n")
    assert "1 distinct solution that comes apart" in counted.stderr
    assert json.loads(run("count", BURR, "--comes-apart", "--json").stdout)["solutions"] == 1
    solved = run("solve", BURR, "--comes-apart", "--all", "--json")
    assert len(solved.stdout.splitlines()) == 1
    said = json.loads(solved.stderr)
    assert (said["solutions"], said["complete"], said["stopped"]) == (1, True, None)


def test_without_a_solution_that_comes_apart_there_is_no_solution(tmp_path: Path) -> None:
    path = tmp_path / "ring.puzzle"
    path.write_text("locations { xxx/xxx/xxx }\npiece ring { xxx/x.x/xxx }\npiece dot { x }")
    solved, counted = run("solve", str(path), "--comes-apart"), run("count", str(path), "--comes-apart")
    assert (solved.returncode, solved.stdout) == (3, "")
    assert "no solution that comes apart" in solved.stderr
    assert (counted.returncode, counted.stdout) == (3, "0\n")


def test_apart_is_counted_up_to_symmetries_and_to_a_limit() -> None:
    tray = parse("locations box 2x2\npiece D x2 { xx }\nwall { xxxx\nx..x\nx...\nxxxx } at (-1,-1)")
    assert ComesApart(tray).count() == ComesApart(tray, symmetry="none").count() == 1
    soma = ComesApart("soma/soma", limits=Limits(3))
    assert (soma.count(), soma.stopped, soma.assemblies) == (3, Stop.SOLUTIONS, 3)
    assert len(list(ComesApart("soma/castle"))) == 5


@pytest.mark.parametrize(
    "words",
    [("--kernel", "frontier"), ("--certificate", "c"), ("--checkpoint", "d"), ("--processes", "2"), ("--shard", "1/2")],
)
def test_options_that_contradict_apart_are_refused(words: tuple[str, str], tmp_path: Path) -> None:
    refused = run("count", BURR, "--comes-apart", *words, cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert words[0] in refused.stderr


def test_an_error_is_reported_if_a_limit_leaves_open_whether_a_solution_comes_apart(tmp_path: Path) -> None:
    path = tmp_path / "loose.puzzle"
    path.write_text(LOOSE + "wall box 9x9 at (-1,-1) - box 7x7")
    counted = run("count", str(path), "--comes-apart")
    assert (counted.returncode, counted.stdout) == (1, "")
    assert "error[PZ709]" in counted.stderr


def test_solutions_are_chosen_by_their_levels() -> None:
    for condition, number in {"level >= 6": 12, "level = 6": 12, "level > 6.4": 0, "level < 6.5": 12}.items():
        assert run("solutions", BURR, "--where", condition).stdout == f"{number}\n"
    shown = run("solutions", BURR, "--where", "level >= 6.4", "--where", "992 used", "--limit", "2", "--json")
    assert len(shown.stdout.splitlines()) == 2
    assert "where level >= 6.4" in shown.stderr


def test_solutions_of_a_checkpoint_are_chosen_by_their_levels(tmp_path: Path) -> None:
    run("solve", BURR, "--all", "--quiet", "--checkpoint", str(tmp_path / "kept"))
    assert run("solutions", str(tmp_path / "kept"), "--where", "level >= 6").stdout == "1\n"
    assert run("solutions", str(tmp_path / "kept"), "--where", "level < 6").stdout == "0\n"


@pytest.mark.parametrize("wrong", ["level >= x", "level >= 5 and 992 used", "not level = 5", "level >= 5."])
def test_a_condition_on_levels_that_makes_no_sense_is_refused(wrong: str) -> None:
    with pytest.raises(PuzzleError, match="PZ639"):
        comparisons([wrong], ["level"])


def test_a_condition_compares_as_many_numbers_as_it_has() -> None:
    (found,), others = comparisons(["level>=5.3", "level used"], ["level"])
    assert found == NumberComparison("level", ">=", (5, 3))
    assert others == ["level used"]
    assert [found.holds(level) for level in ((5,), (5, 2, 9), (5, 3), (6,))] == [False, False, True, True]


def test_the_catalogue_states_levels_and_verify_checks_them() -> None:
    (entry,) = find_entries(BURR)
    assert (entry.apart, entry.level) == (1, "6.4")
    outcomes = {check.convention: check.outcome for check in verify([entry])}
    assert outcomes["apart"] is outcomes["level"] is Outcome.AGREES
    for wrong in (entry._replace(level="6.5"), entry._replace(apart=2)):
        assert [check.outcome for check in verify([wrong])].count(Outcome.DIFFERS) == 1
    listed = run("list", "--tag", "comes apart", "six-piece-6").stdout
    assert "apart  level" in listed
    assert "6.4" in listed
    assert "1 distinct assembly, best level 6.4" in run("explain", BURR).stdout
    assert "1 distinct assembly, best level 6.4" in run("explain", BURR).stdout


#: A box with a slot: 59 of its 116 assemblies come apart.
SLOT = (
    "lattice cubic\nlocations box 4x2x2\npieces tetracubes x0..1\n"
    "wall box 6x4x4 at (-1,-1,-1) - box 4x2x2 - box 3x2x1 at (0,0,2)\n"
)


@pytest.mark.long
def test_solutions_that_come_apart_are_counted_up_to_symmetries_without_a_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "slot.puzzle").write_text(SLOT)
    for words in (["--comes-apart"], ["--where", "level >= 1"], ["--where", "level >= 0"]):
        distinct = run("solutions", "slot.puzzle", *words, "--symmetry", "all", cwd=tmp_path)
        raw = run("solutions", "slot.puzzle", *words, cwd=tmp_path)
        assert (distinct.stdout, raw.stdout) == ("59\n", "118\n")
    as_json = run("solutions", "slot.puzzle", "--comes-apart", "--symmetry", "all", "--json", cwd=tmp_path)
    assert json.loads(as_json.stdout) == {"solutions": 59, "of": 116, "convention": "distinct"}
    shown = run("solutions", "slot.puzzle", "--comes-apart", "--symmetry", "all", "--to", "list", cwd=tmp_path)
    solved = run("solve", "slot.puzzle", "--comes-apart", "--all", "--to", "list", cwd=tmp_path)
    assert shown.stdout.split() == solved.stdout.split()


def test_solutions_of_a_checkpoint_that_come_apart_are_those_with_a_level(tmp_path: Path) -> None:
    run("solve", BURR, "--all", "--quiet", "--checkpoint", str(tmp_path / "kept"))
    found = run("solutions", str(tmp_path / "kept"), "--comes-apart")
    assert found.stdout == "1\n"
    assert "where it comes apart" in found.stderr


@pytest.mark.parametrize("kind", ["--fix", "--forbid"])
def test_clues_leave_one_solution_that_comes_apart_and_fewer_do_not(tmp_path: Path, kind: str) -> None:
    name = "boxes/tray-5x5-level-5"
    made = run("clues", name, "--comes-apart", kind, "-o", "clued.puzzle", cwd=tmp_path)
    assert made.returncode == 0
    assert run("count", "clued.puzzle", "--comes-apart", cwd=tmp_path).stdout == "1\n"
    assert run("count", name, "--comes-apart").stdout == "4\n"
    assert re.search(r"1 distinct solution that comes apart of 4, and fewer clues do not suffice", made.stderr)
    clues = [line for line in made.stderr.splitlines() if line.startswith("clue: ")]
    lines = [line for line in (tmp_path / "clued.puzzle").read_text().splitlines() if line.startswith(kind[2:])]
    for line in lines:  # one clue less leaves several
        (tmp_path / "less.puzzle").write_text((tmp_path / "clued.puzzle").read_text().replace(line + "\n", ""))
        assert run("count", "less.puzzle", "--comes-apart", cwd=tmp_path).stdout != "1\n"
    assert len(clues) == len(lines) > 0


def test_a_burr_with_one_assembly_that_comes_apart_needs_no_clue(tmp_path: Path) -> None:
    made = run("clues", BURR, "--comes-apart", "-o", "clued.puzzle", cwd=tmp_path)
    assert "has exactly 1 distinct solution that comes apart without clues" in made.stderr
    ring = tmp_path / "ring.puzzle"
    ring.write_text("locations { xxx/xxx/xxx }\npiece ring { xxx/x.x/xxx }\npiece dot { x }")
    none = run("clues", str(ring), "--comes-apart")
    assert (none.returncode, none.stdout) == (3, "")
    assert "the puzzle has no solution that comes apart" in none.stderr


def test_one_solution_of_each_orbit_decides_about_clues(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    original = Disassembler.take_apart

    def counting(self: Disassembler, *words: Any) -> Disassembly:
        taken.append(1)
        return original(self, *words)

    monkeypatch.setattr(Disassembler, "take_apart", counting)
    assert run("clues", BURR, "--comes-apart", "--json").returncode == 0
    assert len(taken) == 2  # of 24 raw solutions


def test_a_generated_board_has_one_solution_that_comes_apart_and_says_so(tmp_path: Path) -> None:
    words = ("generate", "board", "--pieces", "tetracubes 4", "--comes-apart", "--seed", "5")
    made = run(*words, "-o", "board.puzzle", cwd=tmp_path)
    assert "1 solution, which comes apart" in made.stderr
    text = (tmp_path / "board.puzzle").read_text()
    assert text.startswith('# puzzlec generate board --seed 5 --pieces "tetracubes 4" --comes-apart\n')
    assert run("count", "board.puzzle", "--comes-apart", cwd=tmp_path).stdout == "1\n"
    assert run(*words, cwd=tmp_path).stdout == text
    refused = run("generate", "dominosa", "--comes-apart")
    assert refused.returncode == 1
    assert "`dominosa` has no option `--comes-apart`" in refused.stderr


def test_generated_puzzles_count_only_solutions_that_come_apart() -> None:
    ring = "locations { xxx/xxx/xxx }\npiece ring { xxx/x.x/xxx }\npiece dot { x }"
    found = {apart: GenerationEffort(0, Limits(), 1, apart).solutions(ring, "all") for apart in (False, True)}
    assert found == {False: 1, True: 0}


@pytest.mark.long
def test_a_burr_that_is_not_found_reports_the_highest_level_so_far() -> None:
    made = run("generate", "burr", "--pieces", "notchable", "--level", "5", "--seed", "77", "--attempts", "40")
    assert made.returncode == 1
    assert re.search(r"no burr with only one assembly that comes apart; one of several has level \d", made.stderr)


@pytest.mark.long
def test_each_set_has_the_count_of_the_puzzle_with_exactly_these_pieces(tmp_path: Path) -> None:
    (tmp_path / "slot.puzzle").write_text(SLOT)
    printed = run("sets", "slot.puzzle", "--comes-apart", "--json", cwd=tmp_path)
    *lines, last = map(json.loads, printed.stdout.splitlines())
    listed = {tuple(line["pieces"]): (line["distinct"], line["raw"]) for line in lines}
    assert last["sets"] == len(listed) == 11
    names = [piece.name for piece in parse(SLOT).pieces]
    for some in combinations(names, 4):  # 4 pieces fill the 16 cells
        alone = parse(SLOT.replace("pieces tetracubes x0..1", f"pieces tetracubes only {', '.join(some)}"))
        counts = ComesApart(alone).count(), ComesApart(alone, symmetry="none").count()
        assert counts == listed.get(some, (0, 0))
    assert sum(raw for _, raw in listed.values()) == ComesApart(parse(SLOT), symmetry="none").count() == 118


#: The same puzzle with costs.
PRICED = SLOT + "cost I = 3\ncost per cells (0,0,0) = 2\ncost L per cells (3,1,1) = -5\n"


@pytest.mark.long
def test_the_best_solutions_that_come_apart_are_the_best_of_all_that_do() -> None:
    puzzle = parse(PRICED)
    for symmetry in ("none", "all"):
        loose = sorted(solution.cost or 0 for solution in puzzlec.solve(puzzle, symmetry=symmetry, comes_apart=True))
        every = sorted(solution.cost or 0 for solution in puzzlec.solve(puzzle, symmetry=symmetry))
        assert loose[:9] != every[:9]
        best = [solution.cost for solution in puzzlec.best(puzzle, number=9, symmetry=symmetry, comes_apart=True)]
        worst = puzzlec.best(puzzle, number=9, symmetry=symmetry, max_cost=True, comes_apart=True)
        assert (best, [solution.cost for solution in worst]) == (loose[:9], loose[:-10:-1])
        counted = puzzlec.count_by_cost(puzzle, symmetry=symmetry, comes_apart=True)
        assert {row.cost: row.distinct for row in counted} == Counter(loose)
        some = puzzlec.count_by_cost(puzzle, symmetry=symmetry, low=2, high=3, comes_apart=True)
        assert some == [row for row in counted if 2 <= row.cost <= 3] != []
    assert sum(row.raw for row in puzzlec.count_by_cost(puzzle, comes_apart=True)) == 118


def test_all_solutions_that_come_apart_are_one_object() -> None:
    puzzle = parse(SLOT)
    every = puzzlec.every_solution(puzzle, comes_apart=True)
    loose = {str(solution) for solution in puzzlec.solve(puzzle, symmetry="none", comes_apart=True)}
    assert every.count == len(loose) == 118
    assert {str(solution) for solution in every} == loose
    with pytest.raises(UnfinishedError):
        puzzlec.every_solution(puzzle, comes_apart=True, seconds=0.0)


def test_commands_about_costs_and_frequencies_take_comes_apart(tmp_path: Path) -> None:
    (tmp_path / "slot.puzzle").write_text(PRICED)
    lowest = min(solution.cost or 0 for solution in puzzlec.solve(parse(PRICED), comes_apart=True))
    solved = run("solve", "slot.puzzle", "--min-cost", "--comes-apart", "--json", cwd=tmp_path)
    assert json.loads(solved.stdout)["cost"] == lowest
    counted = run("count", "slot.puzzle", "--cost", "all", "--comes-apart", cwd=tmp_path)
    assert sum(int(line.split()[-1]) for line in counted.stdout.splitlines()[1:]) == 118
    often = run("solutions", "slot.puzzle", "--frequency", "--comes-apart", "--json", cwd=tmp_path)
    assert {json.loads(line)["of"] for line in often.stdout.splitlines()} == {118}


def test_if_time_ends_while_an_assembly_is_taken_apart_no_better_cost_is_excluded() -> None:
    puzzle = parse(PRICED)
    lowest = min(solution.cost or 0 for solution in puzzlec.solve(puzzle, comes_apart=True))

    class Late(BestSolutionsApart):
        def _condition(self) -> Callable[[tuple[int, ...]], bool]:
            def late(options: tuple[int, ...]) -> bool:
                raise UnfinishedError(Stop.SECONDS, "late")

            return late

    search = Late(puzzle)
    assert (list(search), search.stopped) == ([], Stop.SECONDS)
    assert search.bound is not None
    assert search.bound <= lowest


def test_a_sweep_counts_the_solutions_that_come_apart(tmp_path: Path) -> None:
    path = tmp_path / "tray.puzzle"
    path.write_text("param n = 2\nlocations box 2x2\npiece D x2 { xx }\nwall box 4x{n+1} at (-1,-1) - box 2x2\n")
    rows = [row.solutions for row in puzzlec.sweep(path, {"n": "2..3"})]
    loose = [row.solutions for row in puzzlec.sweep(path, {"n": "2..3"}, comes_apart=True)]
    assert (rows, loose) == ([2, 1], [2, 0])


def test_every_question_about_solutions_takes_comes_apart() -> None:
    for question in QUESTIONS:
        assert "comes_apart" in inspect.signature(question).parameters, question
    puzzlec_has = {name for name in puzzlec.__all__ if getattr(puzzlec, name).__module__ == "puzzlec.questions"}
    assert puzzlec_has == {question.__name__ for question in QUESTIONS} | {"Row"}


def test_sets_with_exactly_one_solution_that_comes_apart_are_found(tmp_path: Path) -> None:
    tray = (
        "locations box 3x3\npieces trominoes x0..3\nwall {\n  xxxxx\n  x...x\n  x...x\n  x....\n  xxxxx\n} at (-1,-1)\n"
    )
    (tmp_path / "tray.puzzle").write_text(tray)
    found = run("sets", "tray.puzzle", "--comes-apart", "--exactly", "1", "--symmetry", "none", cwd=tmp_path)
    assert len(found.stdout.splitlines()) > 1
    assert "with exactly 1 raw solution that comes apart" in found.stderr
    for line in found.stdout.splitlines()[1:]:
        names = re.findall(r"([A-Z]\w*)(?: x(\d))?", line)
        pieces = "\n".join(f"piece {name} x{copies or 1} = trominoes.{name}" for name, copies in names)
        alone = parse(tray.replace("pieces trominoes x0..3", pieces))
        assert ComesApart(alone, symmetry="none").count() == 1


def test_sets_that_come_apart_are_lower_bounds_if_time_is_over() -> None:
    search = PieceSetsComeApart(parse(SLOT), limits=Limits(seconds=0.0))
    assert (search.find(), search.stopped) == ([], "time")


@pytest.mark.skipif(os.name != "posix", reason="Windows has other signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
@pytest.mark.parametrize("words", [("count",), ("solve", "--all", "--to", "list")])
def test_a_signal_leaves_the_number_of_solutions_found_so_far(
    monkeypatch: pytest.MonkeyPatch, number: int, status: int, words: tuple[str, ...]
) -> None:
    calls: list[int] = []

    def signalled(taken: Disassembly, which: int) -> bool:
        calls.append(which)
        if which == 3:
            signal.raise_signal(number)
        return is_apart(taken, which)

    monkeypatch.setattr(disassembling, "is_apart", signalled)
    command, *options = words
    ended = run(command, "soma", "--comes-apart", *options)
    assert (ended.returncode, calls) == (status, [1, 2, 3])
    assert re.search(r"interrupted after .*\b2 distinct solutions that come apart", ended.stderr)
    assert (ended.stdout == "") is (command == "count")
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
