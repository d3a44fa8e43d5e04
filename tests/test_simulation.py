"""The simulation of a job on many workers: it has the measured trees, and does all work once."""

from __future__ import annotations

from itertools import pairwise

import pytest

from puzzlec.engine import Search
from puzzlec.engine.search import selection
from puzzlec.engine.search.splitting import split
from tests.tools.bench import jobs, simulation
from tests.tools.bench.instances import find
from tests.tools.bench.replay import Guesses, Replay, Setting
from tests.tools.bench.shapes import MEASURED, MeasuredTree, Shape, measure


@pytest.fixture(scope="module", params=["3x20", "queens"])
def tree(request: pytest.FixtureRequest) -> MeasuredTree:
    """The measured tree of a small problem, in units of a few nodes."""
    cover = find(request.param).cover
    search = Search(cover)
    search.count()
    return MeasuredTree(measure(cover, request.param, search.nodes, 300, 5))


@pytest.mark.long
def test_a_shape_is_the_same_after_it_was_written_and_read(tree: MeasuredTree) -> None:
    assert Shape.read(tree.shape.text()) == tree.shape


@pytest.mark.parametrize("instance", MEASURED)
@pytest.mark.long
def test_the_stored_shapes_are_trees_without_lost_units(instance: str) -> None:
    tree = MeasuredTree(Shape.named(instance))
    assert abs(tree.units * tree.shape.step - tree.shape.nodes) <= tree.shape.step
    for node, children in enumerate(tree.children):
        if children:
            assert tree.begins[children[0]] == tree.begins[node]
            assert tree.ends[children[-1]] == tree.ends[node]
            assert all(tree.ends[left] == tree.begins[right] for left, right in pairwise(children))
            assert len(children) <= tree.degrees[node]


def test_a_measured_tree_has_the_branches_of_the_search(tree: MeasuredTree) -> None:
    cover = find(tree.shape.instance).cover
    kernel = selection.make(cover, selection.choose(cover).kernel)
    kernel.count(tree.shape.step)
    node = 0
    for _, degree in kernel.position():
        if not tree.children[node]:
            break
        assert tree.degrees[node] == degree
        node = tree.children[node][0]
    assert node


def test_subproblems_of_a_measured_tree_are_the_whole_tree(tree: MeasuredTree) -> None:
    for wanted in (1, 7, 300):
        spans = [tree.span(part.path) for part in split(tree, wanted, Guesses(tree, 1.0))]
        assert (spans[0][0], spans[-1][1]) == (0, tree.units)
        assert all(left[1] == right[0] for left, right in pairwise(spans))


def test_the_remainder_after_a_unit_is_the_rest_of_the_tree(tree: MeasuredTree) -> None:
    for unit in (0, 1, tree.units // 3, tree.units - 1):
        spans = [span for span in map(tree.span, tree.rest((), unit)) if span[0] < span[1]]
        assert spans[0][0] <= unit < spans[0][1]
        assert spans[-1][1] == tree.units
        assert all(left[1] == right[0] for left, right in pairwise(spans))


@pytest.mark.parametrize("divides", [True, False])
@pytest.mark.parametrize("by", ["estimate", "shares"])
@pytest.mark.parametrize("workers", [1, 7, 60])
def test_all_work_is_done_once(tree: MeasuredTree, workers: int, by: str, divides: bool) -> None:
    setting = Setting(workers, days=0.05, by=by, divides=divides, units=40, lasting=0.2)
    replayed = Replay(tree, setting).run()
    worked = sum(end - begin for begin, end in replayed.worked)
    assert worked == pytest.approx(replayed.work, rel=1e-9)
    assert all(begin <= end for begin, end in replayed.worked)
    assert 0 < replayed.utilisation <= 1
    assert 0 < replayed.speed_up <= workers
    assert replayed.end >= replayed.work / workers
    assert replayed.end >= replayed.unit
    assert max(replayed.curve(60.0)) <= 1 + 1e-9
    assert 0 <= replayed.tail <= replayed.end


def test_lost_workers_cost_time_and_no_work(tree: MeasuredTree) -> None:
    steady, failing = (Replay(tree, Setting(20, days=0.1, lasting=hours)).run() for hours in (1e9, 0.2))
    assert steady.lost == 0 < failing.lost
    assert sum(end - begin for begin, end in failing.worked) == pytest.approx(failing.work, rel=1e-9)
    assert failing.end > steady.end


@pytest.mark.long
def test_a_simulation_is_the_same_each_time_and_another_one_for_another_seed(tree: MeasuredTree) -> None:
    first, again, other = (Replay(tree, Setting(9, days=0.05, seed=seed)).run() for seed in (1, 1, 2))
    assert first == again
    assert first.worked != other.worked


@pytest.mark.long
def test_dividing_shortens_the_search_on_a_measured_tree_and_its_tail() -> None:
    tree = MeasuredTree(Shape.named("3x4x5"))
    divided, whole = (Replay(tree, Setting(20, days=0.2, divides=divides, units=30)).run() for divides in (True, False))
    assert divided.end < whole.end
    assert divided.tail < whole.tail
    assert divided.units > whole.units


def test_a_slow_coordinator_is_the_limit(tree: MeasuredTree) -> None:
    setting = Setting(100, days=0.1, time_slice=2.0, slices_a_second=1e9, service=0.05)
    replayed = Replay(tree, setting).run()
    assert replayed.busy <= replayed.end + setting.service
    assert replayed.busy > 0.9 * replayed.end
    assert replayed.utilisation < 0.6


@pytest.mark.long
def test_the_plot_is_reproducible_and_has_labels(capsys: pytest.CaptureFixture[str]) -> None:
    ways = [way for way in simulation.WAYS if not way.divides]
    plots = [simulation.svg(simulation.simulated(1, ways), ways) for _ in range(2)]
    assert plots[0] == plots[1]
    assert "Simulation" in plots[0]
    assert all(way.name in plots[0] for way in ways)
    assert capsys.readouterr().out.count("| 1 |") == 2 * len(ways)


@pytest.mark.slow
def test_the_benchmark_of_jobs_compares_all_ways_to_search() -> None:
    lines = jobs.compared("pentominoes/3x20", runs=1)
    assert len(lines) == len(jobs.ways(cluster=False))
    assert all(line.startswith("| pentominoes/3x20 (8) | ") for line in lines)
    costs = jobs.turn_costs("pentominoes/3x20", 8)
    assert len(costs) == 3
    assert all(cost >= 0 for cost in costs)
