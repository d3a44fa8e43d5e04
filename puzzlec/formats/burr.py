"""Six-piece burrs: sticks by number, or drawn as four rows of six, on the usual board.

Each stick is 2 x 2 x 6 without some of twelve inner cells. The library ``burr-sticks`` has the shape of each number.
Three pairs of sticks cross at right angles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source, Span, counted
from puzzlec.diagnostics.error import fail
from puzzlec.formats.problems import chosen_problem
from puzzlec.formats.record import Format, Sign
from puzzlec.geometry import Cell, find_lattice, find_library
from puzzlec.geometry.regions import box
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.language.given import Given

STICKS = 6

#: A drawn stick in suggestions.
_EXAMPLE = "xxxxxx/xx..xx/x....x/x....x"

#: The three pairs of sticks, then the three blocks in which two pairs meet: size and least corner.
_PAIRS = (((6, 4, 2), (0, 1, 2)), ((2, 6, 4), (2, 0, 1)), ((4, 2, 6), (1, 2, 0)))
_INNER = (((2, 4, 2), (2, 1, 2)), ((2, 2, 4), (2, 2, 1)), ((4, 2, 2), (1, 2, 2)))

_WORD = re.compile(r"[^\s,;\[\]\"']+")
_DRAWN = re.compile(r"[xX.]{6}(?:/[xX.]{6}){3}")

#: Lists of sticks in JSON. Other members have no sticks.
_SHAPES = re.compile(r'"shapes"\s*:\s*\[([^\]]*)\]')
_MEMBER = re.compile(r'"([^"\n]*)"\s*:')


def is_burr(source: Source) -> bool:
    """Whether a text is a list of drawn sticks, or JSON with such lists."""
    return (
        re.match(rf'(?:\s++|#[^\n]*+\n)*+(?:[\[{{][^"]*"shapes"\s*:\s*\[\s*"|"?){_DRAWN.pattern}', source.text)
        is not None
    )


def read_burr(source: Source, report: Report, given: Given) -> Puzzle:
    """Return a six-piece burr.

    Sticks of the same shape are copies of one piece, which has the minimum number of that shape. A text may have
    several burrs of six sticks each. Raises PuzzleError (PZ228) for an invalid stick and for missing sticks.
    """
    burrs = list(_burrs(source))
    if not burrs:
        raise fail("PZ228", "missing burr sticks", source.end, help="write six numbers, such as `1 2 3 4 5 6`")
    spans = [source.span(burr[0].start(), burr[-1].end()) for burr in burrs]
    index = chosen_problem(given.problem, [""] * len(burrs), spans, report, "burrs")
    words = burrs[index]
    by_number: dict[str, list[re.Match[str]]] = {}
    for word in words:
        number = _number(source, report, word)
        if number:
            by_number.setdefault(number, []).append(word)
    for burr, span in zip(burrs, spans, strict=True):
        if len(burr) != STICKS:
            report.add("PZ228", f"expected 6 sticks in a six-piece burr, found {len(burr)}", span)
    _look_for_more(source, report)
    report.stop_on_errors()
    lattice, library = find_lattice("cubic"), find_library("burr-sticks")
    turns = lattice.turns(library.freedom)
    pieces = []
    for number, sticks in by_number.items():
        cells, span = library.shape(number).cells, source.span(*sticks[0].span())
        pieces.append(Piece(number, cells, (None,) * len(cells), turns, low=len(sticks), high=len(sticks), span=span))
    return Puzzle(PurePath(source.name).stem, lattice, burr_board(), tuple(pieces))


def _look_for_more(source: Source, report: Report) -> None:
    """Warn once about members of JSON that have no sticks, such as stored assemblies."""
    if source.text.lstrip()[:1] in ("[", "{"):
        others = [member for member in _MEMBER.finditer(source.text) if member.group(1) != "shapes"]
        if others:
            names = sorted({member.group(1)[:40] for member in others})
            some = ", ".join(f"`{name}`" for name in names[:8])
            report.add("PZ230", f"ignoring the members {some}", source.span(*others[0].span(1)))


def burr_board() -> tuple[Location, ...]:
    """Return the locations of a six-piece burr: three crossing pairs. Locations where pairs meet are optional."""
    inner = {cell for size, corner in _INNER for cell in _moved(size, corner)}
    cells = {cell for size, corner in _PAIRS for cell in _moved(size, corner)}
    return tuple(Location(cell, optional=cell in inner) for cell in sorted(cells, key=lambda cell: cell[::-1]))


def _moved(size: tuple[int, ...], corner: Cell) -> Iterator[Cell]:
    return (tuple(map(sum, zip(cell, corner, strict=True))) for cell in box(size))


def _burrs(source: Source) -> Iterator[list[re.Match[str]]]:
    """Yield the words of each burr."""
    text = source.text
    if text.lstrip()[:1] in ("[", "{"):
        for shapes in _SHAPES.finditer(text):
            if words := list(_WORD.finditer(text, *shapes.span(1))):
                yield words
        return
    plain = re.sub(r"(?:#|//)[^\n]*", lambda remark: " " * len(remark.group()), text)
    words = list(_WORD.finditer(plain))
    for at in range(0, len(words), STICKS):
        yield words[at : at + STICKS]


def number_of_stick(text: str, span: Span, report: Report) -> str:
    """Return the minimum number of the stick with a number, or report an invalid one and return an empty string."""
    library = find_library("burr-sticks")
    if text in library.shapes:
        return text
    if text in library.others:
        return library.name_of(library.others[text].cells) or text
    apart = re.fullmatch(r"[0-9]{1,4}", text, re.ASCII) and 1 <= int(text) <= 4096
    what = f"stick {text} is not connected" if apart else "expected a stick number from 1 to 4096"
    report.add("PZ228", what, span)
    return ""


def _number(source: Source, report: Report, word: re.Match[str]) -> str:
    """Return the minimum number of a stick, or report an invalid stick and return an empty string."""
    text, span = word.group(), source.span(*word.span())
    library = find_library("burr-sticks")
    if re.fullmatch(r"[0-9]+", text, re.ASCII):
        return number_of_stick(text, span, report)
    if _DRAWN.fullmatch(text):
        cells = tuple(
            (x, row % 2, row // 2)
            for row, signs in enumerate(text.split("/"))
            for x, sign in enumerate(signs)
            if sign != "."
        )
        number = library.name_of(cells)
        if number:
            return number
        report.add(
            "PZ228",
            f"invalid burr stick `{text}`",
            span,
            note=_wrong_row(text),
        )
    elif set(text) <= set("xX./"):
        _report_rows(source, report, word)
    else:
        report.add(
            "PZ228",
            f"invalid burr stick `{text[:40]}`",
            span,
            help=f"write a number from 1 to 4096, or four rows such as `{_EXAMPLE}`",
        )
    return ""


def _report_rows(source: Source, report: Report, word: re.Match[str]) -> None:
    """Report the row of a drawn stick that has a wrong length, or the wrong number of rows."""
    rows, start = word.group().split("/"), word.start()
    for number, row in enumerate(rows, 1):
        if len(row) != STICKS and len(rows) == len(_EXAMPLE.split("/")):
            span = source.span(start, start + max(1, len(row)))
            report.add("PZ228", f"row {number} of a burr stick has {counted(len(row), 'cell')}, expected 6", span)
            return
        start += len(row) + 1
    report.add(
        "PZ228",
        f"burr stick has {counted(len(rows), 'row')}, expected 4",
        source.span(*word.span()),
        help=f"write four rows separated by `/`, such as `{_EXAMPLE}`",
    )


def _wrong_row(text: str) -> str:
    """Return the reason why a stick of four rows of six is invalid: a row without its ends, or another condition."""
    for number, row in enumerate(text.lower().split("/"), 1):
        if row[0] + row[-1] != "xx":
            return f"row {number} is `{row}`: each row begins and ends with `x`"
    return "a stick has one row `xxxxxx`, and is connected"


FORMAT = Format(
    "burr",
    (".burr", ".json"),
    "six-piece burrs by their sticks",
    read=read_burr,
    recognise=(Sign(20, is_burr),),
    aliases=("burrs", "sticks"),
    place=170,
    traits=("problems",),
)
