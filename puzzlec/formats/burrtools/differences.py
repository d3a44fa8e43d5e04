"""What tells the problems of an XMPuzzle text apart: what is to be made, of how many pieces, and which of them."""

from __future__ import annotations

from puzzlec.diagnostics import counted
from puzzlec.formats.burrtools.document import Document
from puzzlec.formats.xml_positions import Element

#: So many pieces are named.
MOST = 4


def told_by_their_pieces(document: Document) -> list[str]:
    """Return a remark for each problem: its result and the number of its pieces, and where that is alike, some pieces.

    Nothing is reported here: of what is wrong the problem that is read is told.
    """
    parts = [_parts(each) for each in document.problems]
    remarks = [
        f"{_result(document, each)} of {_number(own)}" for each, own in zip(document.problems, parts, strict=True)
    ]
    alike: dict[str, list[dict[int, tuple[int, int]]]] = {}
    for remark, own in zip(remarks, parts, strict=True):
        alike.setdefault(remark, []).append(own)
    common = {remark: set.intersection(*(set(own.items()) for own in those)) for remark, those in alike.items()}
    return [
        remark + _others(document, own.items() - common[remark]) for remark, own in zip(remarks, parts, strict=True)
    ]


def _others(document: Document, own: set[tuple[int, tuple[int, int]]]) -> str:
    """Return the names of the pieces that not all problems alike have."""
    names = [_name(document, shape) for shape, _ in sorted(own)[:MOST]]
    return f": {', '.join(names)}{', ...' if len(own) > MOST else ''}" if names else ""


def _parts(problem: Element) -> dict[int, tuple[int, int]]:
    """Return how often each shape is used in a problem, from and to, by its number."""
    found: dict[int, tuple[int, int]] = {}
    for each in (shape for shapes in problem.all("shapes") for shape in shapes.all("shape")):
        number = _whole(each, "id", -1)
        count = _whole(each, "count", 1)
        low, high = _whole(each, "min", count), _whole(each, "max", count)
        before = found.get(number, (0, 0))
        found[number] = before[0] + low, before[1] + high
    return found


def _whole(element: Element, attribute: str, default: int) -> int:
    text = element.attributes.get(attribute, "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else default


def _number(parts: dict[int, tuple[int, int]]) -> str:
    low, high = (sum(bounds) for bounds in zip(*parts.values(), strict=True)) if parts else (0, 0)
    return counted(high, "piece") if low == high else f"{low} to {high} pieces"


def _result(document: Document, problem: Element) -> str:
    result = problem.first("result")
    return _name(document, -1 if result is None else _whole(result, "id", -1))


def _name(document: Document, shape: int) -> str:
    """Return the name of a shape, else its number, as BurrTools shows it."""
    if not 0 <= shape < len(document.shapes):
        return "no shape"
    return " ".join(document.shapes[shape].name.split()) or f"S{shape + 1}"
