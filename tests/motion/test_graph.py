"""The graph of states of an assembly, compared with a plain search."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

import puzzlec
from puzzlec import parse
from puzzlec.engine import Limits
from puzzlec.geometry import Lattice, find_lattice
from puzzlec.motion.graph import graph_of_states
from puzzlec.motion.moves import Body
from puzzlec.motion.search import Bounds
from tests.commands import command
from tests.motion.plain_search import Pieces, PlainSearch, interlocking_assembly, take_apart
from tests.motion.test_disassembly import BURRS, burr, drawn


def plain_size(lattice: Lattice, pieces: Pieces) -> tuple[int, int]:
    """Return the numbers of states and of pairs of states that a move joins, up to the first separations."""
    search, everything = PlainSearch(lattice, pieces), frozenset(range(len(pieces)))
    states, joined = [tuple((0,) * lattice.dimension for _ in pieces)], set()
    for state in states:
        possible = [
            (choice, search.steps(state, choice[0], everything - choice[0], choice[1]))
            for choice in search.sets(everything)
        ]
        if any(steps == search.far for _, steps in possible):
            continue
        for (moving, direction), steps in possible:
            for distance in range(1, steps + 1):
                after = search.normal(search.after(state, moving, direction, distance), everything)
                joined.add(frozenset((state, after)))
                if after not in states:
                    states.append(after)
    return len(states), len(joined)


@pytest.mark.long
@pytest.mark.parametrize("name", ["square", "hex", "cubic", "fcc"])
def test_a_graph_has_the_states_and_moves_that_a_plain_search_finds(name: str) -> None:
    lattice, compared = find_lattice(name), 0
    for seed in range(300):
        pieces = interlocking_assembly(lattice, Random(seed), 60)
        bodies = [Body(str(number), cells) for number, cells in enumerate(pieces)]
        graph = graph_of_states(lattice, bodies)
        if compared == 4 or not 2 < len(graph.places) < 100:
            continue
        states, joined = plain_size(lattice, pieces)
        assert (len(graph.places), len({frozenset(move[:2]) for move in graph.moves})) == (states, joined)
        level = take_apart(lattice, bodies).level
        goals = [depth for depth, goal in zip(graph.depths, graph.separable, strict=True) if goal]
        assert (min(goals) + 1 if goals else None) == (level[0] if level else None) or level is None
        compared += 1
    assert compared == 4


def test_a_graph_ends_at_its_limit_and_keeps_what_it_has() -> None:
    frame = Body("frame", tuple((x, y) for x in range(9) for y in range(9) if x in (0, 8) or y in (0, 8)))
    balls = [Body("ball", ((1 + 3 * n, 1),)) for n in range(3)]
    graph = graph_of_states(find_lattice("square"), [frame, *balls], Bounds(memory=20_000))
    assert graph.stopped == "memory"
    assert len(graph.places) == len(graph.depths) == len(graph.separable) > 4
    assert graph_of_states(find_lattice("square"), [frame, *balls], Bounds(deadline=0)).stopped == "time"


def test_states_and_moves_take_memory() -> None:
    square, cell = find_lattice("square"), drawn("aaa", "a.a", "aba", "aaa")
    whole = graph_of_states(square, cell)
    assert (len(whole.places), len(whole.moves), whole.stopped) == (2, 1, None)
    needed = 2 * (300 + 2 * 100) + 150  # two states of two pieces, and a move
    assert graph_of_states(square, cell, Bounds(memory=needed)) == whole
    assert graph_of_states(square, cell, Bounds(memory=needed - 1)).stopped == "memory"


def test_the_first_piece_rests_in_a_graph() -> None:
    graph = graph_of_states(find_lattice("square"), drawn("bbb", "b.b", "bab", "bbb"))
    assert graph.places == (((0, 0), (0, 0)), ((0, 0), (0, 1)))


@pytest.mark.parametrize("ending", ["json", "graphml"])
def test_the_graph_of_the_best_assembly_is_written(
    tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle, target = tmp_path / "burr.puzzle", tmp_path / f"graph.{ending}"
    puzzle.write_text(burr(BURRS[1][0]))
    status, _, said = command(capsys, monkeypatch, "disassemble", str(puzzle), "--graph", str(target))
    assert status == 0
    text = target.read_text()
    if ending == "json":
        graph = json.loads(text)
        states, moves = len(graph["states"]), graph["moves"]
        assert graph["pieces"] == list("ABCDEF")
        assert min(state["depth"] for state in graph["states"] if state["separable"]) == 5
    else:
        space = "{http://graphml.graphdrawing.org/xmlns}"
        root = ElementTree.fromstring(text)
        states, moves = len(root.findall(f".//{space}node")), root.findall(f".//{space}edge")
    assert f"graph of assembly 1: {states} states, {len(moves)} moves" in said
    status, _, said = command(capsys, monkeypatch, "disassemble", str(puzzle), "--graph", "graph.txt")
    assert (status, "expected a name that ends in .json or .graphml" in " ".join(said.split())) == (2, True)


def test_the_graph_of_an_assembly_is_public() -> None:
    assembly = next(puzzlec.disassemble(parse(burr(BURRS[0][0]))))
    graph = puzzlec.state_graph(assembly)
    assert graph == puzzlec.state_graph(assembly.disassembly)
    assert graph.labels == assembly.labels
    assert json.loads(graph.as_json())["pieces"] == list(graph.labels)
    assert puzzlec.state_graph(assembly, seconds=0).stopped == "time"
    assert puzzlec.state_graph(assembly, limits=Limits(memory=1)).stopped == "memory"


def test_a_solution_has_no_graph_of_states() -> None:
    puzzle = parse(burr(BURRS[0][0]))
    with pytest.raises(TypeError, match="expected an assembly that `disassemble` yields, found Solution"):
        puzzlec.state_graph(next(iter(puzzlec.solve(puzzle))))  # type: ignore[arg-type]
