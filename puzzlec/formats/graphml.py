"""The graph of conflicts as GraphML, which graph programs and networkx read.

Source: http://graphml.graphdrawing.org/specification.html.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.formats.conflicts import Conflicts
from puzzlec.formats.record import Choices, Format, Sign
from puzzlec.ir import Fitting

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


def write_graphml(fitting: Fitting, choices: Choices) -> Iterator[str]:  # noqa: ARG001
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
    for at, vertex in enumerate(graph.vertices()):
        covers = " ".join("_".join(place.split()) or "_" for place in vertex.locations)
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
    level="fitting",
    write=write_graphml,
    recognise=(Sign(380, r"[\s\S]{0,1992}?<graphml\b"),),
    aliases=("networkx", "gephi"),
    place=300,
)
