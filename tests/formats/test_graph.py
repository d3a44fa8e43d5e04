"""The graph of conflicts as GraphML: its solutions are those of the puzzle."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.formats import graphml
from puzzlec.formats.writing import write, write_chunks
from puzzlec.ir import Fitting, Placements
from puzzlec.ir.fitting import FittingPiece
from tests.levels import fittings
from tests.strategies import puzzles

#: The second example of the page on Discrete Piece Fitting, and the numbers of marks in the rows of its matrix there.
DPF = "5 3 2 1 3 2 0 2 3 1 4 2 0 3 2 1 2 3 2 0 4 2 1 3 3 0 1 2"
MARKS = [3, 5, 3, 7, 5, 5, 5, 5]

Graph = tuple[int, set[str], list[tuple[str, set[str]]], list[set[int]]]


SPACE = "{http://graphml.graphdrawing.org/xmlns}"


def graph_of(text: str) -> Graph:
    """Return the graph of a GraphML text: pieces, locations, vertices (piece, locations), neighbours."""
    whole = ElementTree.fromstring(text.encode()).find(f"{SPACE}graph")
    assert whole is not None
    head = data_of(whole)
    nodes = whole.findall(f"{SPACE}node")
    vertices = [(data_of(node)["piece"], set(data_of(node)["covers"].split())) for node in nodes]
    number = {node.get("id"): at for at, node in enumerate(nodes)}
    edges = [(number[edge.get("source")], number[edge.get("target")]) for edge in whole.findall(f"{SPACE}edge")]
    assert len(edges) == len(set(edges))
    assert all(i < j for i, j in edges)
    around: list[set[int]] = [set() for _ in vertices]
    for i, j in edges:
        around[i].add(j)
        around[j].add(i)
    return int(head["pieces"]), locations(vertices, int(head["locations"])), vertices, around


def data_of(element: ElementTree.Element) -> dict[str, str]:
    """Return the data of a graph or a node."""
    return {datum.get("key", ""): datum.text or "" for datum in element.findall(f"{SPACE}data")}


def locations(vertices: list[tuple[str, set[str]]], number: int) -> set[str]:
    """Return the names of locations, with invented names for uncovered ones, so that no solution covers all."""
    found: set[str] = set().union(*(places for _, places in vertices))
    return found | {f"never {at}" for at in range(number - len(found))}


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


def test_the_graph_of_the_second_example_has_the_edges_that_its_page_shows() -> None:
    graph = graph_of(write(puzzlec.parse(DPF, format="dpf"), "graphml"))
    assert list(map(len, graph[3])) == MARKS
    assert [" ".join(sorted(places)) for _, places in graph[2]] == [
        "3", "0 2", "4", "0 3", "1 2", "0 4", "1 3", "0 1 2",
    ]  # fmt: skip
    assert len(list(solutions(graph))) == 3


@pytest.mark.long
def test_a_graph_of_soma_names_the_piece_and_locations_of_each_vertex() -> None:
    text = write(puzzlec.load("soma"), "graphml")
    assert '<data key="piece">V</data><data key="covers">0,0,0 1,0,0 0,1,0</data>' in text
    pieces, _, vertices, around = graph_of(text)
    assert (pieces, len(vertices)) == (7, 688)
    assert all(at in around[other] for at, near in enumerate(around) for other in near)


@settings(max_examples=60)
@given(puzzles())
@pytest.mark.long
def test_the_solutions_of_the_graph_are_those_of_the_puzzle(puzzle: puzzlec.Puzzle) -> None:
    try:
        text = write(puzzle, "graphml")
    except PuzzleError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} == {"PZ501"}
        return
    graph = graph_of(text)
    if len(graph[2]) > 60:
        return
    assert len(list(solutions(graph))) == puzzlec.count(puzzle, symmetry="none")


def test_the_colours_of_a_placement_are_no_locations() -> None:
    text = "lattice line\ncolours r b\nlocations { ???x } at (2)\npiece p0 x0..1 { rx }\nfix p0 at cells (2) (3)\n"
    puzzle = puzzlec.parse(text)
    written = write(puzzle, "graphml")
    assert '<data key="label">p0 2 3 colours r x</data>' in written
    graph = graph_of(written)
    assert graph[1] == {"2", "3", "4", "never 0"}
    assert not list(solutions(graph))
    assert puzzlec.count(puzzle, symmetry="none") == 0


@settings(max_examples=200)
@given(fittings(plain=True))
@pytest.mark.long
def test_sides_and_crossings_are_edges_of_the_graph(fitting: Fitting) -> None:
    pieces = tuple(replace(piece, name=f"p{at}") for at, piece in enumerate(fitting.pieces))
    plain = replace(fitting, pieces=pieces, names=())
    graph = graph_of(write(plain, "graphml"))
    assert len(list(solutions(graph))) == puzzlec.count(plain, symmetry="none")


def test_pieces_that_would_cross_are_joined() -> None:
    both = Placements([[0, 1], [2, 3]])
    fitting = Fitting(4, (FittingPiece(both), FittingPiece(both)), crossings=(((0, 1), (2, 3)),))
    assert not list(solutions(graph_of(write(fitting, "graphml"))))
    assert len(list(solutions(graph_of(write(replace(fitting, crossings=()), "graphml"))))) == 2


def test_tiles_whose_sides_do_not_match_are_joined() -> None:
    text = "colours r b\nlocations box 2x1\npiece A sides r r b b\npiece B sides b b r r\n"
    tiles = puzzlec.parse(text)
    assert len(list(solutions(graph_of(write(tiles, "graphml"))))) == puzzlec.count(tiles, symmetry="none") == 16


@settings(max_examples=30)
@given(puzzles())
@pytest.mark.long
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
    graph = graph_of(write(fitting, "graphml"))
    assert graph[2] == [("a <&> b", {"x_y"}), ("a <&> b", {"x_y'"}), ("a_<&>_b", {"x_y"}), ("a_<&>_b", {"x_y'"})]
    head = ElementTree.fromstring(write(fitting, "graphml").encode())
    labels = [element.text for element in head.iter() if element.get("key") == "label"]
    assert labels[:2] == ["a <&> b x y", "a <&> b x_y"]


def test_features_that_graphs_lack_are_refused_and_named() -> None:
    for text, words in (
        ("locations box 4x1\npiece D x2 { xx }", "several of piece `D`"),
        ("locations { x?x }\nempty 0..1\npiece D { x }\npiece E { x }", ""),
        ("locations { ??x }\nempty 1\npiece D { xx }", "a limit on empty locations"),
    ):
        puzzle = puzzlec.parse(f'puzzle "P"\n{text}\n')
        if words:
            with pytest.raises(PuzzleError, match=words) as raised:
                write_chunks(puzzle, "graphml")
            assert {diagnostic.code for diagnostic in raised.value.diagnostics} == {"PZ501"}
            assert raised.value.diagnostics[0].span


def test_a_piece_left_out_and_one_that_covers_nothing_are_two_vertices_and_one_orientation() -> None:
    fitting = Fitting(1, (FittingPiece(Placements([[0]])), FittingPiece(Placements([[0], []]), low=0)))
    graph = graph_of(write(fitting, "graphml"))
    assert len(list(solutions(graph))) == puzzlec.count(fitting, symmetry="none") == 2
    with pytest.raises(PuzzleError, match="DPF does not support leaving out piece `1`"):
        write(fitting, "dpf")


def test_a_graph_that_would_be_too_large_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphml, "MAX_EDGES", 1000)
    with pytest.raises(PuzzleError, match="688 placements is too large"):
        write_chunks(puzzlec.load("soma"), "graphml")


def test_the_text_comes_in_chunks_and_is_the_same_each_time() -> None:
    puzzle = puzzlec.load("pentominoes/3x20")
    chunks = list(write_chunks(puzzle, "graphml"))
    assert max(map(len, chunks)) < 100_000 < sum(map(len, chunks))
    assert chunks == list(write_chunks(puzzlec.load("pentominoes/3x20"), "graphml"))
