"""The graph of conflicts as adjacency text: a row for each placement, with a mark for each that it excludes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from puzzlec.formats.conflicts import Conflicts
from puzzlec.formats.record import Choices, Format, Sign
from puzzlec.ir import Fitting
from puzzlec.lower.labels import words

#: Maximum number of entries of the matrix.
MOST_MARKS = 1_000_000_000


def write_graph(fitting: Fitting, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Yield the matrix of the graph of conflicts as text: one row for each placement, ``x`` if two exclude each other.

    Comments begin with ``#``. A row begins with the name of a piece and of its locations, separated by spaces
    (a space in a name becomes ``_``). Then come `` | `` and a mark or a dot for each placement in order. Raises
    PuzzleError for everything that a graph does not express, and for a too large matrix.
    """
    graph = Conflicts(fitting)
    if len(graph) ** 2 > MOST_MARKS:
        raise graph.too_large(f"its matrix has {len(graph) ** 2} entries (limit {MOST_MARKS:,})")
    return _rows(graph)


def _rows(graph: Conflicts) -> Iterator[str]:
    """Yield the lines of the text."""
    labels = _labels(graph)
    width = max(map(len, labels), default=0)
    title = " ".join(graph.title.split())
    yield f"# {title}\n" if title else ""
    yield f"# {len(graph)} placements of {graph.pieces} pieces on {len(graph.locations)} locations\n"
    yield f"# a solution: {graph.pieces} rows without a mark among them that cover all locations\n"
    for vertex, label in enumerate(labels):
        row = bytearray(b".") * len(graph)
        for other in graph.neighbours(vertex):
            row[other] = 120  # x
        yield f"{label:<{width}} | {row.decode()}\n"


def _labels(graph: Conflicts) -> list[str]:
    """Return piece and locations of each vertex, as words separated by spaces."""
    vertices = list(graph.vertices())
    pieces = _words(vertex.piece for vertex in vertices)
    places = _words(graph.locations)
    return [
        vertex._replace(piece=pieces[vertex.piece], locations=tuple(places[place] for place in vertex.locations)).label
        for vertex in vertices
    ]


def _words(names: Iterable[str]) -> dict[str, str]:
    """Return names as words without spaces, all different."""
    known = list(dict.fromkeys(names))
    return dict(zip(known, words(known), strict=True))


FORMAT = Format(
    "graph",
    (".graph",),
    "graph of conflicts, adjacency text",
    level="fitting",
    write=write_graph,
    recognise=(Sign(390, r"\s*+(?:(?:#[^\n]*+\n)?+# [0-9]+ placements? of [0-9]+ pieces? on [0-9]+ locations?\n)"),),
    aliases=("adjacency",),
    place=280,
)
