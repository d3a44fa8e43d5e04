"""The graph of conflicts in the DIMACS format for graphs, which benchmarks of graph colouring use.

Source: "Clique and Coloring Problems Graph Format", DIMACS 1993,
http://archive.dimacs.rutgers.edu/pub/challenge/graph/doc/ccformat.tex.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.formats.conflicts import Conflicts
from puzzlec.formats.record import Choices, Format, Sign
from puzzlec.ir import Fitting


def write_dimacs_graph(fitting: Fitting, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Yield the graph of conflicts as DIMACS text: ``p edge n m``, and ``e i j`` for each edge, i < j, from 1.

    Comments name each vertex: ``c vertex 7: F 0,0 1,0 1,1``. Raises PuzzleError for everything that a graph does not
    express.
    """
    graph = Conflicts(fitting)
    return _lines(graph, graph.edges())


def _lines(graph: Conflicts, edges: int) -> Iterator[str]:
    """Yield the lines of the text, with the edges of a vertex together."""
    title = " ".join(graph.title.split())
    yield f"c {title}\n" if title else ""
    yield "c a vertex is a placement, an edge joins two that do not go together\n"
    covered = f"that cover all {len(graph.locations)} locations"
    yield f"c a solution: {graph.pieces} vertices without an edge among them {covered}\n"
    for number, vertex in enumerate(graph.vertices(), 1):
        yield f"c vertex {number}: {_line(vertex.label)}\n"
    yield f"p edge {len(graph)} {edges}\n"
    for at in range(len(graph)):
        if later := graph.later(at):
            yield "".join([f"e {at + 1} {other + 1}\n" for other in later])


def _line(label: str) -> str:
    """Return a label on one line."""
    return "".join(character if character.isprintable() else " " for character in label)


FORMAT = Format(
    "col",
    (".col",),
    "graph of conflicts, DIMACS",
    level="fitting",
    write=write_dimacs_graph,
    recognise=(Sign(320, r"\s*+(?:(?:c(?:[ \t][^\n]*+)?+\n\s*+)*+p (?:edge|col) )"),),
    aliases=("dimacs-graph", "coloring"),
    place=290,
)
