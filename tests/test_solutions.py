"""Solutions of a puzzle: threads, progress, limits and reasons, with and without the use of symmetries."""

from __future__ import annotations

import pytest

from puzzlec.compiler import parse
from puzzlec.engine import Limits, Stop
from puzzlec.engine.search import first_cover as first_cover_module
from puzzlec.engine.search import selection
from puzzlec.pipeline import emit
from puzzlec.solving.solutions import EngineName, SearchSettings, Solutions

IMPOSSIBLE = 'puzzle "Mutilated"\nlocations box 4x4 - box 1x1 at (0,0) - box 1x1 at (3,3)\npiece D x7 { xx }\n'


@pytest.mark.parametrize("raw", [False, True])
def test_solutions_and_their_number_do_not_depend_on_the_threads(raw: bool) -> None:
    alone = list(Solutions("soma", symmetry="none" if raw else "all", limits=Limits(solutions=500), kernel="bits"))
    shared = Solutions(
        "soma", symmetry="none" if raw else "all", limits=Limits(solutions=500), kernel="bits", threads=3
    )
    assert [solution.as_dict() for solution in shared] == [solution.as_dict() for solution in alone]
    assert Solutions("soma", symmetry="none" if raw else "all", kernel="bits", threads=3).count() == (
        11520 if raw else 240
    )


def test_progress_counts_solutions_from_1_and_ends_at_100_percent() -> None:
    solutions = Solutions("soma", symmetry="none")
    assert solutions.progress().fraction == 0
    assert solutions.count() == 11520
    done = solutions.progress()
    assert (done.solutions, done.nodes) == (11520, solutions.nodes)
    assert done.fraction == pytest.approx(1)
    assert sum(solutions.profile) == solutions.nodes
    assert (solutions.order, "2 of its 72" in solutions.held) == (48, True)


def test_an_interruption_keeps_the_known_number(monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzlec.engine.kernels.python import PythonKernel

    original = PythonKernel.count
    calls = []

    def interrupted(self: PythonKernel, budget: int) -> int:
        calls.append(budget)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return original(self, budget)

    monkeypatch.setattr(PythonKernel, "count", interrupted)
    solutions = Solutions("soma", symmetry="none", kernel="python")
    with pytest.raises(KeyboardInterrupt):
        solutions.count()
    assert 0 < solutions.number < 11520
    assert solutions.number % 48 == 0  # each found solution represents the whole group here
    assert 0 < solutions.progress().fraction < 1


def test_reasons_are_found_after_a_short_search_and_during_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for patience in (4000, 5):
        monkeypatch.setattr(selection, "NODES_BEFORE_NUMBA", patience)
        for count in (True, False):
            solutions = Solutions(parse(IMPOSSIBLE))
            assert (solutions.count() if count else len(list(solutions))) == 0
            assert [reason.code for reason in solutions.reasons] == ["PZ405"]
            assert solutions.stopped is None
            assert (solutions.nodes <= 300) == (patience == 5) or solutions.nodes < 4000


def test_a_quick_solution_prevents_the_search_for_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solutions, "look_for_reasons", None)  # calling it would be a TypeError
    assert Solutions(parse("locations box 4x1\npiece D x2 { xx }\n")).count() == 1


def test_a_limit_of_time_counts_from_the_beginning() -> None:
    solutions = Solutions("soma", limits=Limits(seconds=0.0))
    assert solutions.count() == 0
    assert solutions.stopped is Stop.SECONDS
    assert not solutions.reasons


def test_a_seed_gives_one_solution_or_a_proof_that_there_is_none() -> None:
    first = [next(iter(Solutions("soma", settings=SearchSettings(seed=seed)))).as_dict() for seed in (5, 5, 6)]
    assert first[0] == first[1] != first[2]
    solutions = Solutions(
        parse("locations box 3x3\npiece O x2 { xx/xx }\npiece M { x }\n"), settings=SearchSettings(seed=1)
    )
    assert (list(solutions), solutions.stopped) == ([], None)


@pytest.mark.parametrize("engine", ["cpsat", "own"])
def test_one_solution_is_found_by_the_engine_that_was_asked_for(engine: EngineName) -> None:
    if engine == "cpsat":
        pytest.importorskip("ortools")
    solutions = Solutions("soma", settings=SearchSettings(seed=1, engine=engine))
    assert len(list(solutions)) == 1
    assert solutions.choice is not None
    assert solutions.choice.kernel == {"cpsat": "cpsat", "own": "restarts"}[engine]


DOMINOES = """
puzzle "Dominoes on a chessboard"
locations box 8x8
piece D x32 { xx }
"""


def test_a_puzzle_that_layers_can_count_is_not_searched_even_up_to_symmetry() -> None:
    raw = Solutions(parse(DOMINOES), symmetry="none")
    assert raw.count() == 12_988_816
    assert raw.choice is not None
    assert raw.choice.kernel == "frontier"
    distinct = Solutions(parse(DOMINOES))
    assert distinct.count() == 1_629_189  # classes of tilings, by Burnside's lemma
    assert (distinct.order, distinct.nodes < 100_000) == (8, True)


@pytest.mark.parametrize(("raw", "number"), [(True, 50), (False, 15)])  # 50 with rotations and reflections
def test_layers_count_a_wide_puzzle_beside_a_search_that_compares_its_solutions(
    raw: bool, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "experience", used := selection.Experience())
    used.kernels.add("bits")
    solutions = Solutions(
        parse("locations box 10x16\npiece Y x0..40 = pentominoes.Y\n"), symmetry="none" if raw else "all"
    )
    assert solutions.count() == number
    assert solutions.choice is not None
    assert solutions.choice.kernel == "frontier"
    assert len(list(Solutions(solutions.encoding, symmetry="none" if raw else "all"))) == number


def test_a_short_raw_count_does_not_look_for_symmetries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "experience", used := selection.Experience())
    used.kernels.add("bits")
    solutions = Solutions("pentominoes/3x20", symmetry="none")
    assert solutions.count() == 8
    assert solutions.order is None
    longer = Solutions("soma", symmetry="none")
    assert longer.count() == 11520
    assert longer.order == 48
    assert longer.nodes == sum(longer.profile)


def test_random_searches_find_a_first_solution_that_the_search_in_order_misses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selection, "NODES_BEFORE_NUMBA", 2)
    monkeypatch.setattr(first_cover_module, "FIRST_TURN_NODES", 2000)
    solutions = Solutions("bedlam-cube", limits=Limits(solutions=1))
    (found,) = solutions
    assert len(found.placements) == 13
    assert solutions.stopped is Stop.SOLUTIONS
    assert solutions.choice is not None
    assert solutions.choice.kernel == "restarts"
    again = Solutions("bedlam-cube", limits=Limits(solutions=1))
    assert [solution.placements for solution in again] == [found.placements]
    all_of_them = Solutions("bedlam-cube", limits=Limits(solutions=2))
    assert len(list(all_of_them)) == 2
    assert all_of_them.choice is not None
    assert all_of_them.choice.kernel != "restarts"


def test_random_searches_that_prove_that_there_is_none_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "NODES_BEFORE_NUMBA", 2)
    monkeypatch.setattr(first_cover_module, "FIRST_TURN_NODES", 64)
    rows = 'puzzle "T tetrominoes"\nlocations box 6x6\npiece T x9 = tetrominoes.T\n'
    solutions = Solutions(parse(rows), limits=Limits(solutions=1))
    assert list(solutions) == []
    assert solutions.stopped is None


def test_an_unknown_engine_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="engine"):
        Solutions("soma", settings=SearchSettings(engine="steam"))  # type: ignore[arg-type]


def test_next_gives_the_first_solution_and_a_loop_the_others() -> None:
    solutions = Solutions(parse("locations box 2x3\npiece A x3 { xx }"))
    everyone = list(solutions)
    assert len(everyone) == 2
    assert [next(solutions), *solutions] == everyone
    assert list(solutions) == everyone
    assert [next(solutions), next(solutions), next(solutions, None)] == [*everyone, None]


def test_the_error_for_an_unknown_stage_lists_the_known_stages() -> None:
    with pytest.raises(
        ValueError, match=r"unknown stage 'dpf': expected one of ast, puzzle, fitting, cover, solution; `convert`"
    ):
        emit("soma", "dpf")  # type: ignore[arg-type]
