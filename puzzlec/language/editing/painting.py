"""Paint cells of a drawing: the smallest changes of its text, with comments and layout kept.

A cell inside the drawing changes one character. A cell beside it adds characters to rows, rows, or layers. Then the
drawing may have another origin: ``shift`` is the vector from the old cells of the drawing to the new ones.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.drawing import BLANK, DrawingError, DrawingMark, DrawingRule, DrawingSpot, positioned, rule_of
from puzzlec.language.fixing import TextEdit, applied

#: Maximum number of rows or columns that one change may add.
MAX_ADDED_ROWS = 200


#: Characters that drawings of other people have for cells, those of them that are often twice as many, and for no cell.
_FULL, _WIDE, _EMPTY = "#@*■●◼⬛🟥🟧🟨🟩🟦🟪🟫", "█▓", "·-_□○◻⬜░ "


class EditError(ValueError):
    """A change that the text cannot express; the message is the reason."""


class Painted(NamedTuple):
    """The edits of a drawing, as offsets into it, and the vector from its old cells to the new ones."""

    edits: list[TextEdit]
    shift: Cell


@dataclass
class _RowText:
    """A row, or a layer of a row: its position in the drawing, and its new characters."""

    start: int
    end: int
    text: str


def painted(inner: str, lattice: Lattice, signs: Mapping[Cell, str]) -> Painted:
    """Return the edits that give cells of a drawing new characters; ``.`` removes a cell.

    Args:
        inner: The drawing without its braces.
        lattice: Its lattice.
        signs: New characters by cells. Cells count as the reader of drawings counts them.

    >>> from puzzlec.geometry import find_lattice
    >>> painted(" xx/x. ", find_lattice("square"), {(1, 1): "x"}).edits
    [TextEdit(start=5, end=6, text='x')]

    Raises EditError if the drawing cannot have these cells.

    """
    rule = rule_of(lattice)
    if rule is None:
        raise EditError(f"lattice `{lattice.name}` has no drawings")
    if "{" in inner:
        raise EditError("the drawing has expressions: edit the text instead")
    try:
        before = rule.marks(inner, lattice)
    except DrawingError as error:
        raise EditError(f"the drawing is not readable: {error.message}") from None
    drawing = {mark.cell: mark.sign for mark in before}
    for cell, sign in signs.items():
        if sign == BLANK:
            drawing.pop(cell, None)
        else:
            drawing[cell] = sign if rule.signs else "x"
    if not drawing:
        raise EditError("a drawing has at least one cell")
    for extra in (0, 1):  # on lattices with two parities, some growth needs one more column
        edits = _positioned(inner, rule, lattice, before, signs, extra) if rule.spaced else _grouped(inner, rule, signs)
        after = _read(applied(inner, edits), rule, lattice)
        shift = _shift(drawing, after)
        if shift is not None:
            return Painted(edits, shift)
    raise EditError("the drawing cannot be changed this way: edit the text instead")


def pasted(drawing: str, lattice: Lattice) -> dict[Cell, str]:
    r"""Return the cells of a drawing from elsewhere, with their characters.

    Spaces between characters of a flat board are positions without a cell.

    >>> from puzzlec.geometry import find_lattice
    >>> list(pasted("  ##\n# #", find_lattice("square")))
    [(2, 0), (3, 0), (0, 1), (2, 1)]
    >>> list(pasted("locations { x.x }", find_lattice("square"))), list(pasted("██  ██", find_lattice("square")))
    ([(0, 0), (2, 0)], [(0, 0), (2, 0)])

    Raises EditError if it has none.

    """
    rule = rule_of(lattice)
    if rule is None:
        raise EditError(f"lattice `{lattice.name}` has no drawings")
    braced = re.search(r"\{([^{}]*)\}", drawing)
    text = braced.group(1) if braced else _plain(drawing, rule, lattice) if rule.signs else drawing
    try:
        return {mark.cell: mark.sign for mark in rule.marks(text, lattice)}
    except DrawingError as error:
        raise EditError(f"the drawing is not readable: {error.message}") from None


def _plain(drawing: str, rule: DrawingRule, lattice: Lattice) -> str:
    """Return a drawing from elsewhere in the characters of this language."""
    lines = textwrap.dedent(drawing.replace("\r", "").replace("\ufe0f", "").expandtabs(4)).strip("\n").split("\n")
    width = max(map(len, lines))
    lines = [line.ljust(width) for line in lines]
    flat = not rule.spaced and lattice.dimension < 3
    if flat and any(sign in _WIDE for line in lines for sign in line):
        if all(line[::2] == line[1::2] for line in lines):
            lines = [line[::2] for line in lines]
    elif flat and width > 1 and not any(line[1::2].strip() for line in lines):
        lines = [line[::2] for line in lines]  # one space after each character
    empty = _EMPTY if flat else _EMPTY.strip()
    sign_of = dict.fromkeys(_FULL + _WIDE, "x") | dict.fromkeys(empty, BLANK)
    if set("".join(lines)) <= set("01 "):
        sign_of |= {"1": "x", "0": BLANK}
    return "\n".join("".join(sign_of.get(sign, sign) for sign in line) for line in lines)


def difference(start: int, before: str, after: str) -> list[TextEdit]:
    """Return the smallest edit of a text that begins at ``start``; none if it stays the same."""
    if before == after:
        return []
    least = min(len(before), len(after))
    head = next((at for at in range(least) if before[at] != after[at]), least)
    tail = next((at for at in range(least - head) if before[-1 - at] != after[-1 - at]), least - head)
    return [TextEdit(start + head, start + len(before) - tail, after[head : len(after) - tail])]


def _read(inner: str, rule: DrawingRule, lattice: Lattice) -> dict[Cell, str]:
    try:
        return {mark.cell: mark.sign for mark in rule.marks(inner, lattice)}
    except DrawingError:
        return {}


def _shift(drawing: Mapping[Cell, str], reading: Mapping[Cell, str]) -> Cell | None:
    """Return the vector that moves the wanted cells to those found; None if there is none."""
    if len(drawing) != len(reading):
        return None
    vector = tuple(b - a for a, b in zip(min(drawing), min(reading), strict=True))
    moved = {tuple(a + b for a, b in zip(cell, vector, strict=True)): sign for cell, sign in drawing.items()}
    return vector if moved == reading else None


def _grouped(inner: str, rule: DrawingRule, signs: Mapping[Cell, str]) -> list[TextEdit]:
    """Return the edits of a drawing whose rows are groups of characters, one for each layer."""
    rows = [
        [_RowText(match.start(), match.end(), match.group()) for match in re.finditer(r"[^\s/]+", row.text)]
        for row in _plain_rows(inner)
    ]
    rows = [row for row in rows if row]
    spots = {rule.spot(cell): sign for cell, sign in signs.items()}
    layers = _reach((spot.layer for spot in spots if spots[spot] != BLANK), len(rows[0]))
    tall = _reach((spot.row for spot in spots if spots[spot] != BLANK), len(rows))
    left = -min([0, *(spot.column for spot in spots if spots[spot] != BLANK)])
    widths = [len(group.text) for group in rows[0]]
    width = max(widths)
    wide = [
        left + max([(widths[at] if 0 <= at < len(widths) else width),
                    *(spot.column + 1 for spot in spots if spot.layer == at and spots[spot] != BLANK)])
        for at in range(-layers[0], len(widths) + layers[1])
    ]  # fmt: skip
    _refuse_far([left, *layers, *tall, max(wide) - width])
    texts = []
    for number in range(-tall[0], len(rows) + tall[1]):
        old = rows[number] if 0 <= number < len(rows) else []
        line = []
        for layer in range(-layers[0], len(widths) + layers[1]):
            text = BLANK * left + (old[layer].text if old and 0 <= layer < len(widths) else "")
            line.append(list(text.ljust(wide[layer + layers[0]], BLANK)))
        texts.append(line)
    for spot, sign in spots.items():
        row, layer, column = spot.row + tall[0], spot.layer + layers[0], spot.column + left
        if 0 <= row < len(texts) and 0 <= layer < len(wide) and 0 <= column < wide[layer]:
            texts[row][layer][column] = sign
    lines = ["".join(group) for line in texts for group in line]
    grouped = [lines[at : at + len(wide)] for at in range(0, len(lines), len(wide))]
    gap = _gap(inner, rows)
    edits: list[TextEdit] = []
    for groups, new in zip(rows, grouped[tall[0] : tall[0] + len(rows)], strict=True):
        if layers[0]:
            edits.append(TextEdit(groups[0].start, groups[0].start, gap.join(new[: layers[0]]) + gap))
        for group, text in zip(groups, new[layers[0] :], strict=False):
            edits += difference(group.start, group.text, text)
        if layers[1]:
            edits.append(TextEdit(groups[-1].end, groups[-1].end, gap + gap.join(new[len(new) - layers[1] :])))
    above = [gap.join(new) for new in grouped[: tall[0]]]
    below = [gap.join(new) for new in grouped[tall[0] + len(rows) :]]
    over, under = _added(inner, above, below, rows[0][0].start, rows[-1][-1].end)
    return [*over, *edits, *under]


def _plain_rows(inner: str) -> list[_RowText]:
    """Return the rows of a drawing with spaces for all other characters, so that offsets stay the same."""
    code = re.sub(r"#[^\n]*", lambda comment: " " * len(comment.group()), inner)
    return [
        _RowText(match.start(), match.end(), " " * match.start() + match.group())
        for match in re.finditer(r"[^\n/]+", code)
    ]


def _gap(inner: str, rows: list[list[_RowText]]) -> str:
    """Return the white space between the layers of the first row."""
    first = rows[0]
    return inner[first[0].end : first[1].start] if len(first) > 1 else "  " if "\n" in inner else " "


def _reach(numbers: Iterable[int], size: int) -> tuple[int, int]:
    """Return how far the numbers reach below 0, and how far beyond the last of ``size`` numbers from 0."""
    listed = list(numbers)
    return -min([0, *listed]), max([size - 1, *listed]) - size + 1


def _refuse_far(added: Iterable[int]) -> None:
    if max(added) > MAX_ADDED_ROWS:
        raise EditError(f"the cell is too far from the drawing (limit {MAX_ADDED_ROWS:,} rows and columns)")


def _positioned(
    inner: str, rule: DrawingRule, lattice: Lattice, before: list[DrawingMark], signs: Mapping[Cell, str], extra: int
) -> list[TextEdit]:
    """Return the edits of a drawing in which white space determines positions."""
    rows = [_RowText(row.start, row.start + len(row.text), row.text) for row in positioned(inner)]
    mark = before[0]
    at = next(number for number, row in enumerate(rows) if row.start <= mark.offset < row.end)
    origin = rule.spot(mark.cell)
    down, right = at - origin.row, mark.offset - rows[at].start - origin.column
    spots = {DrawingSpot(0, spot.row + down, spot.column + right): sign for spot, sign in _points(rule, signs).items()}
    solid = [spot for spot, sign in spots.items() if sign not in (BLANK, "+")]
    spots = {spot: sign for spot, sign in spots.items() if sign != "+" or solid}
    tall = _reach((spot.row for spot, sign in spots.items() if sign != BLANK), len(rows))
    left = -min([0, *(spot.column for spot, sign in spots.items() if sign != BLANK)])
    left += extra
    _refuse_far([left, *tall, *(spot.column - len(max(rows, key=lambda row: len(row.text)).text) for spot in solid)])
    texts = [list(" " * left + row.text) for row in rows]
    texts = [[] for _ in range(tall[0])] + texts + [[] for _ in range(tall[1])]
    fill = BLANK if lattice.drawing == "triangle" else " "
    for spot, sign in sorted(spots.items()):
        row, column = spot.row + tall[0], spot.column + left
        if not (0 <= row < len(texts) and column >= 0) or (sign == BLANK and column >= len(texts[row])):
            continue
        line = texts[row]
        line += fill * (column + 1 - len(line))
        if sign != "+" or line[column] in " .":
            line[column] = sign
    filled = [line for line in texts if "".join(line).strip()]
    if all(line[0] == " " for line in filled) or ("\n" not in inner and texts[0][:1] == [" "]):
        (texts[0] if texts[0] else filled[0])[0] = BLANK  # it keeps the position of the first column
    lines = ["".join(line).rstrip() or BLANK for line in texts]
    edits: list[TextEdit] = []
    for old, new in zip(rows, lines[tall[0] : tall[0] + len(rows)], strict=True):
        edits += difference(old.start, old.text.rstrip(), new)
    over, under = _added(inner, lines[: tall[0]], lines[tall[0] + len(rows) :], rows[0].start, rows[-1].end)
    return [*over, *edits, *under]


def _points(rule: DrawingRule, signs: Mapping[Cell, str]) -> dict[DrawingSpot, str]:
    """Return characters by their spots. An edge has the character of its direction, and points at its ends."""
    if rule.signs:
        return {rule.spot(cell): sign for cell, sign in signs.items()}
    points: dict[DrawingSpot, str] = {}
    for cell, sign in signs.items():
        spot = rule.spot(cell)
        points[spot] = BLANK if sign == BLANK else "-|"[cell[-1]]
        for step in (-1, 1):
            if sign != BLANK:
                along = DrawingSpot(0, spot.row + step * cell[-1], spot.column + step * (1 - cell[-1]))
                points.setdefault(along, "+")
    return points


def _added(
    inner: str, above: list[str], below: list[str], first: int, last: int
) -> tuple[list[TextEdit], list[TextEdit]]:
    """Return the edits that add rows at the beginning of a drawing, and those that add rows at its end."""
    begin = inner.rfind("\n", 0, first) + 1
    first_of_line = begin > 0 and not inner[begin:first].strip()  # whether the first row begins a line
    indent = inner[begin:first] if first_of_line else ""
    joint = f"\n{indent}" if first_of_line else "/"
    over = [TextEdit(first, first, "".join(row + joint for row in above))] if above else []
    if not below:
        return over, []
    end = inner.find("\n", last) if inner.rfind("\n", 0, last) >= 0 else -1
    if end < 0:
        return over, [TextEdit(last, last, "".join(f"/{row}" for row in below))]
    line = inner[inner.rfind("\n", 0, last) + 1 : last]
    indent = indent if first_of_line else line[: len(line) - len(line.lstrip())]
    return over, [TextEdit(end, end, "".join(f"\n{indent}{row}" for row in below))]


def _over(inner: str, rows: list[str]) -> str:
    """Return a drawing with other rows.

    The result is on one line if the drawing was on one line. Otherwise it is on several lines, with its comments.
    """
    if "\n" not in inner and not rows[0].startswith(" "):
        return f" {'/'.join(rows)} "
    lines = inner.split("\n")
    indent = next((line[: len(line) - len(line.lstrip())] for line in lines[1:] if line.strip()), "  ")
    notes = [re.sub(r"^[^#]*", "", line).rstrip() for line in lines]
    head = f" {notes[0]}" if notes[0] else ""
    notes = [note for note in notes[1:] if note]
    drawn = [f"{indent}{row}" for row in rows]
    width = max(map(len, drawn))
    beside = [f"{row:<{width}}  {note}" for row, note in zip(drawn, notes, strict=False)]
    rest = [f"{indent}{note}" for note in notes[len(drawn) :]]
    end = lines[-1] if len(lines) > 1 and not lines[-1].strip() else ""
    return "\n".join([head, *beside, *drawn[len(beside) :], *rest, end])


def redrawn(inner: str, lattice: Lattice, change: Callable[[Mapping[Cell, str]], Mapping[Cell, str]]) -> str:
    """Return a drawing with its cells moved by a function; its comments stay."""
    rule = rule_of(lattice)
    if rule is None or "{" in inner:
        raise EditError("the drawing has expressions: edit the text instead")
    return _over(inner, rule.lines(change(_read(inner, rule, lattice))))
