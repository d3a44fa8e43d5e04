"""The graph of conflicts of a fitting as GraphML, which graph programs and networkx read.

A vertex is a placement, and an edge joins two that exclude each other. Two placements exclude each other if they belong
to one piece or share a location. They also do if the colours of a common side of two tiles do not match, or if two
pieces would cross. A solution has one vertex for each piece, covers all locations and has no edge (Frans Faase, on
Discrete Piece Fitting: https://www.iwriteiam.nl/DPF.html). Source of the format:
http://graphml.graphdrawing.org/specification.html.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from puzzlec.diagnostics.error import fail
from puzzlec.formats.plain import parts
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.ir import Fitting
from puzzlec.lower import encode
from puzzlec.lower.labels import different, words

#: Maximum number of edges: more would be gigabytes of text.
MAX_EDGES = 100_000_000

_KEYS = "".join(
    f'  <key id="{name}" for="{of}" attr.name="{name}" attr.type="{type}"/>\n'
    for name, of, type in (
        ("title", "graph", "string"),
        ("pieces", "graph", "int"),
        ("locations", "graph", "int"),
        ("label", "node", "string"),
        ("piece", "node", "string"),
        ("covers", "node", "string"),
    )
)

#: An item in which options meet, and the colour of an option there. Options of colour 0 exclude each other.
_Entry = tuple[int, int]


class Vertex(NamedTuple):
    """A placement: the name of its piece, the names of its locations, and the words for the colours that it shows."""

    piece: str
    locations: tuple[str, ...]
    shown: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The name of the placement, such as ``F 0,0 1,0 1,1``."""
        return " ".join([self.piece, *self.locations, *self.shown])


class Conflicts:
    """The vertices of a graph of conflicts. Its edges are computed vertex by vertex and never stored.

    ``pieces`` is the number of vertices in a solution, ``locations`` are the names of the locations. Raises PuzzleError
    for everything that a graph does not express, and for more than :data:`MAX_EDGES` edges.
    """

    def __init__(self, fitting: Fitting) -> None:
        pieces = parts(fitting, "a graph of conflicts", pairwise=True)
        meetings = _meetings(fitting)
        self.title, self.pieces = fitting.title, len(pieces)
        self.locations = [fitting.location_name(location) for location in range(fitting.locations)]
        names = list(different(part.name for part in pieces))
        self._entries: list[list[_Entry]] = []
        self._made: list[tuple[str, tuple[int, ...], tuple[str, ...]]] = []
        for number, part in enumerate(pieces):
            piece = fitting.pieces[part.piece] if part.piece >= 0 else None
            for index, placement in enumerate(part.placements):
                entries = [(number, 0), *((len(pieces) + location, 0) for location in placement)]
                for item, colour in meetings.get((part.piece, index), ()):
                    entries.append((len(pieces) + fitting.locations + item, colour))
                self._entries.append(entries)
                # A piece that may be left out has one more placement, which covers nothing.
                colours = piece.shown_words(index) if piece is not None and index < len(piece.placements) else ()
                self._made.append((names[number], placement, colours))
        self._having: dict[int, array[int]] = {}
        self._coloured: dict[_Entry, array[int]] = {}
        for vertex, entries in enumerate(self._entries):
            for item, colour in entries:
                self._having.setdefault(item, array("i")).append(vertex)
                if colour:
                    self._coloured.setdefault((item, colour), array("i")).append(vertex)
        # Two placements share at most all locations of one of them, which limits how often an edge is counted.
        shared = max(map(len, self._entries), default=1)
        least = (
            sum(len(vertices) * (len(vertices) - 1) // 2 for vertices in self._having.values() if not self._coloured)
            // shared
        )
        if least > MAX_EDGES:
            why = f"it has at least {least} edges (limit {MAX_EDGES:,})"
            raise fail("PZ503", f"the graph of {len(self)} placements is too large", note=why, file=self.title)

    def __len__(self) -> int:
        return len(self._entries)

    def vertices(self) -> Iterator[Vertex]:
        """Yield the vertices in order."""
        for name, placement, colours in self._made:
            yield Vertex(name, tuple([self.locations[location] for location in placement]), colours)

    def neighbours(self, vertex: int) -> set[int]:
        """Return the neighbours of a vertex."""
        adjacent: set[int] = set()
        for item, colour in self._entries[vertex]:
            if colour:
                # Sides of one colour, or of mates, are compatible: both may be there.
                adjacent.update(set(self._having[item]).difference(self._coloured[item, colour]))
            else:
                adjacent.update(self._having[item])
        adjacent.discard(vertex)
        return adjacent

    def later(self, vertex: int) -> Sequence[int]:
        """Return the neighbours with a greater number, in ascending order: this yields each edge once."""
        return sorted([neighbour for neighbour in self.neighbours(vertex) if neighbour > vertex])


def _meetings(fitting: Fitting) -> dict[tuple[int, int], list[_Entry]]:
    """Return for each placement the items in which it meets others without a common location.

    Each item comes with the colour of the placement there.
    """
    if not fitting.neighbours and not fitting.crossings:
        return {}
    encoding = encode(fitting)
    first = min(
        [*encoding.item_of_side.values(), *encoding.item_of_crossing.values()], default=len(encoding.cover.items)
    )
    meetings: dict[tuple[int, int], list[_Entry]] = {}
    for option in range(len(encoding.cover)):
        entries = [(item - first, colour) for item, colour in encoding.cover.entries(option) if item >= first]
        if entries:
            meetings[encoding.piece[option], encoding.index[option]] = entries
    return meetings


def write_graphml(fitting: Fitting, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the graph of conflicts as GraphML: nodes ``n0``, ``n1``... with label, piece, and covered locations.

    ``covers`` has the locations, separated by spaces; a space in a name becomes ``_``. The graph has ``pieces``, the
    number of pieces, and ``locations``, the number of locations. Raises PuzzleError for everything that a graph does
    not express.
    """
    return _lines(Conflicts(fitting))


def _lines(graph: Conflicts) -> Iterator[str]:
    """Yield the text, with the edges of a node together."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n' + _KEYS
    yield '  <graph id="conflicts" edgedefault="undirected">\n'
    whole = {"title": graph.title, "pieces": str(graph.pieces), "locations": str(len(graph.locations))}
    yield "".join(f'    <data key="{key}">{_escaped(value)}</data>\n' for key, value in whole.items() if value)
    words_of = dict(zip(graph.locations, words(graph.locations), strict=True))
    for at, vertex in enumerate(graph.vertices()):
        covers = " ".join(words_of[place] for place in vertex.locations)
        yield (
            f'    <node id="n{at}"><data key="label">{_escaped(vertex.label)}</data>'
            f'<data key="piece">{_escaped(vertex.piece)}</data><data key="covers">{_escaped(covers)}</data></node>\n'
        )
    for at in range(len(graph)):
        if later := graph.later(at):
            yield "".join([f'    <edge source="n{at}" target="n{other}"/>\n' for other in later])
    yield "  </graph>\n</graphml>\n"


def _escaped(text: str) -> str:
    """Return a text for XML; characters that XML does not allow become spaces."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


FORMAT = Format(
    "graphml",
    (".graphml",),
    "graph of conflicts, GraphML",
    stage="fitting",
    write=write_graphml,
    recognise=(Sign(380, r"[\s\S]{0,1992}?<graphml\b"),),
    aliases=("networkx", "gephi"),
    place=300,
)
