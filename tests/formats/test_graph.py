"""The graph of conflicts, in three formats: its solutions are those of the puzzle."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.formats import conflicts
from puzzlec.formats.writing import write, write_chunks
from puzzlec.ir import Fitting, Placements
from puzzlec.ir.fitting import FittingPiece
from tests.levels import fittings
from tests.strategies import puzzles

#: The second example of the page on Discrete Piece Fitting, and the numbers of marks in the rows of its matrix there.
DPF = "5 3 2 1 3 2 0 2 3 1 4 2 0 3 2 1 2 3 2 0 4 2 1 3 3 0 1 2"
MARKS = [3, 5, 3, 7, 5, 5, 5, 5]

Graph = tuple[int, set[str], list[tuple[str, set[str]]], list[set[int]]]


def of_text(text: str) -> Graph:
    """Return the graph of an adjacency text: pieces, locations, vertices (piece, locations), neighbours."""
    lines = text.splitlines()
    said = re.search(r"# \d+ placements of (\d+) pieces on (\d+) locations", text)
    assert said
    rows = [line.rsplit(" | ", 1) for line in lines if not line.startswith("#")]
    vertices = [(label.split()[0], set(before_colours(label.split()[1:]))) for label, _ in rows]
    around = [{at for at, mark in enumerate(marks) if mark == "x"} for _, marks in rows]
    assert all(set(marks) <= {"x", "."} and len(marks) == len(rows) for _, marks in rows)
    return int(said[1]), locations(vertices, int(said[2])), vertices, around


def before_colours(words: list[str]) -> list[str]:
    """Return the names of locations in a label: the words before the colours of sides or of cells (colours)."""
    return list(takewhile(lambda word: word not in {"sides", "colours"}, words))


def locations(vertices: list[tuple[str, set[str]]], number: int) -> set[str]:
    """Return the names of locations, with invented names for uncovered ones, so that no solution covers all."""
    found: set[str] = set().union(*(places for _, places in vertices))
    return found | {f"never {at}" for at in range(number - len(found))}


def of_dimacs(text: str) -> tuple[int, list[str], list[set[int]]]:
    """Return the graph of a DIMACS text: the pieces of a solution, the vertices' labels, neighbours."""
    head = re.search(r"^p edge (\d+) (\d+)$", text, re.MULTILINE)
    pieces = re.search(r"^c a solution: (\d+) vertices", text, re.MULTILINE)
    assert head
    assert pieces
    edges = [(int(i) - 1, int(j) - 1) for i, j in re.findall(r"^e (\d+) (\d+)$", text, re.MULTILINE)]
    assert len(edges) == len(set(edges)) == int(head[2])
    assert all(0 <= i < j < int(head[1]) for i, j in edges)
    around: list[set[int]] = [set() for _ in range(int(head[1]))]
    for i, j in edges:
        around[i].add(j)
        around[j].add(i)
    return int(pieces[1]), re.findall(r"^c vertex \d+: (.*)$", text, re.MULTILINE), around


def solutions(graph: Graph) -> Iterator[list[int]]:
    """Yield the independent sets with one vertex for each piece that cover all locations."""
    pieces, wanted, vertices, around = graph

    def chosen(found: list[int], free: list[int]) -> Iterator[list[int]]:
        if len(found) == pieces:
            if set().union(*(vertices[vertex][1] for vertex in found)) == wanted:
                yield found
            return
        for at, vertex in enumerate(free):
            yield from chosen([*found, vertex], [other for other in free[at + 1 :] if other not in around[vertex]])

    return chosen([], list(range(len(vertices))))


def test_the_matrix_of_the_second_example_has_the_marks_that_its_page_shows() -> None:
    graph = of_text(write(puzzlec.parse(DPF, format="dpf"), "graph"))
    assert list(map(len, graph[3])) == MARKS
    assert [" ".join(sorted(places)) for _, places in graph[2]] == [
        "3", "0 2", "4", "0 3", "1 2", "0 4", "1 3", "0 1 2",
    ]  # fmt: skip
    assert len(list(solutions(graph))) == 3


def test_the_matrix_of_the_docs_belongs_to_their_fitting() -> None:
    folder = Path(__file__).parents[2] / "docs" / "formats"
    own, page = ((folder / name).read_text(encoding="utf-8") for name in ("own.md", "solvers.md"))
    text = next(block for block in re.findall(r"```json\n(.*?)```", own, re.DOTALL) if '"fitting"' in block)
    fitting = puzzlec.parse(text, format="json")
    assert isinstance(fitting, Fitting)
    assert f"```graph\n{write(replace(fitting, title='Sticks'), 'graph')}```" in page


def test_a_graph_of_soma_names_the_piece_and_locations_of_each_vertex() -> None:
    soma = puzzlec.load("soma")
    assert "V 0,0,0 1,0,0 0,1,0 " in write(soma, "graph")
    assert re.search(r"^c vertex \d+: V 0,0,0 1,0,0 0,1,0$", write(soma, "col"), re.MULTILINE)
    assert '<data key="piece">V</data><data key="covers">0,0,0 1,0,0 0,1,0</data>' in write(soma, "graphml")
    pieces, _, vertices, around = of_text(write(soma, "graph"))
    assert (pieces, len(vertices)) == (7, 688)
    assert of_dimacs(write(soma, "col"))[2] == around


@settings(max_examples=60)
@given(puzzles())
def test_the_solutions_of_the_graph_are_those_of_the_puzzle(puzzle: puzzlec.Puzzle) -> None:
    try:
        text = write(puzzle, "graph")
    except PuzzleError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} == {"PZ501"}
        return
    graph = of_text(text)
    if len(graph[2]) > 60:
        return
    assert len(list(solutions(graph))) == puzzlec.count(puzzle, symmetry="none")
    assert of_dimacs(write(puzzle, "col"))[::2] == (graph[0], graph[3])


def test_the_colours_of_a_placement_are_no_locations() -> None:
    text = "lattice line\ncolours r b\nlocations { ???x } at (2)\npiece p0 x0..1 { rx }\nfix p0 at cells (2) (3)\n"
    puzzle = puzzlec.parse(text)
    written = write(puzzle, "graph")
    assert "p0 2 3 colours r x |" in written
    graph = of_text(written)
    assert graph[1] == {"2", "3", "4", "never 0"}
    assert not list(solutions(graph))
    assert puzzlec.count(puzzle, symmetry="none") == 0


@settings(max_examples=200)
@given(fittings(plain=True))
def test_sides_and_crossings_are_edges_of_the_graph(fitting: Fitting) -> None:
    pieces = tuple(replace(piece, name=f"p{at}") for at, piece in enumerate(fitting.pieces))
    plain = replace(fitting, pieces=pieces, names=())
    graph = of_text(write(plain, "graph"))
    assert len(list(solutions(graph))) == puzzlec.count(plain, symmetry="none")


def test_pieces_that_would_cross_are_joined() -> None:
    both = Placements([[0, 1], [2, 3]])
    fitting = Fitting(4, (FittingPiece(both), FittingPiece(both)), crossings=(((0, 1), (2, 3)),))
    assert not list(solutions(of_text(write(fitting, "graph"))))
    assert len(list(solutions(of_text(write(replace(fitting, crossings=()), "graph"))))) == 2


def test_tiles_whose_sides_do_not_match_are_joined() -> None:
    text = "colours r b\nlocations box 2x1\npiece A sides r r b b\npiece B sides b b r r\n"
    tiles = puzzlec.parse(text)
    assert len(list(solutions(of_text(write(tiles, "graph"))))) == puzzlec.count(tiles, symmetry="none") == 16


@settings(max_examples=30)
@given(puzzles())
def test_networkx_reads_the_graphml_and_finds_the_solutions_as_cliques_of_the_complement(
    puzzle: puzzlec.Puzzle,
) -> None:
    networkx = pytest.importorskip("networkx")
    try:
        text = write(puzzle, "graphml")
    except PuzzleError:
        return
    graph = networkx.read_graphml(io.BytesIO(text.encode()))
    if len(graph) > 60:
        return
    head = ElementTree.fromstring(text.encode())
    space = "{http://graphml.graphdrawing.org/xmlns}"
    said = {datum.get("key"): datum.text for datum in head.findall(f"{space}graph/{space}data")}
    covers = {node: data.get("covers", "").split() for node, data in graph.nodes(data=True)}
    found = 0
    for clique in networkx.find_cliques(networkx.complement(graph)):
        covered = [place for node in clique for place in covers[node]]
        assert len(covered) == len(set(covered))
        found += len(clique) == int(said["pieces"] or 0) and len(covered) == int(said["locations"] or 0)
    assert found == puzzlec.count(puzzle, symmetry="none")
    assert list(graph) == [f"n{at}" for at in range(len(graph))]


def test_names_are_escaped_and_spaces_in_them_do_not_divide_words() -> None:
    placements = Placements([[0], [1]])
    fitting = Fitting(
        2,
        (FittingPiece(placements, name="a <&> b"), FittingPiece(placements, name="a_<&>_b")),
        names=("x y", "x_y"),
        title="t\x1b & <u>",
    )
    graph = of_text(write(fitting, "graph"))
    assert graph[2] == [("a_<&>_b", {"x_y"}), ("a_<&>_b", {"x_y'"}), ("a_<&>_b'", {"x_y"}), ("a_<&>_b'", {"x_y'"})]
    head = ElementTree.fromstring(write(fitting, "graphml").encode())
    labels = [element.text for element in head.iter() if element.get("key") == "label"]
    assert labels[:2] == ["a <&> b x y", "a <&> b x_y"]
    assert len(of_dimacs(write(fitting, "col"))[1]) == 4


@pytest.mark.parametrize("format", ["graph", "col", "graphml"])
def test_features_that_graphs_lack_are_refused_and_named(format: str) -> None:
    for text, words in (
        ("locations box 4x1\npiece D x2 { xx }", "several of piece `D`"),
        ("locations { x?x }\nempty 0..1\npiece D { x }\npiece E { x }", ""),
        ("locations { ??x }\nempty 1\npiece D { xx }", "a limit on empty locations"),
    ):
        puzzle = puzzlec.parse(f'puzzle "P"\n{text}\n')
        if words:
            with pytest.raises(PuzzleError, match=words) as raised:
                write_chunks(puzzle, format)
            assert {diagnostic.code for diagnostic in raised.value.diagnostics} == {"PZ501"}
            assert raised.value.diagnostics[0].span


def test_a_piece_left_out_and_one_that_covers_nothing_are_two_vertices_and_one_orientation() -> None:
    fitting = Fitting(1, (FittingPiece(Placements([[0]])), FittingPiece(Placements([[0], []]), low=0)))
    graph = of_text(write(fitting, "graph"))
    assert len(list(solutions(graph))) == puzzlec.count(fitting, symmetry="none") == 2
    with pytest.raises(PuzzleError, match="DPF does not support leaving out piece `1`"):
        write(fitting, "dpf")


@pytest.mark.parametrize("format", ["graph", "col", "graphml"])
def test_a_graph_that_would_be_too_large_is_refused_at_once(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflicts, "MOST_EDGES", 1000)
    with pytest.raises(PuzzleError, match="688 placements is too large"):
        write_chunks(puzzlec.load("soma"), format)


@pytest.mark.parametrize("format", ["graph", "col", "graphml"])
def test_the_text_comes_in_chunks_and_is_the_same_each_time(format: str) -> None:
    puzzle = puzzlec.load("pentominoes/3x20")
    chunks = list(write_chunks(puzzle, format))
    assert max(map(len, chunks)) < 100_000 < sum(map(len, chunks))
    assert chunks == list(write_chunks(puzzlec.load("pentominoes/3x20"), format))
