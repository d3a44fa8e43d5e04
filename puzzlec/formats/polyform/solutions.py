"""Solutions that Polyform Puzzler prints: a line of coordinates for each piece, or only a picture in letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple

from puzzlec.diagnostics import Report, Source, Span, counted
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines as lines_of
from puzzlec.formats.cells.nested import MAX_COORDINATE
from puzzlec.formats.polyform.families import FAMILIES, PolyformFamily, family_of, turns_of
from puzzlec.formats.problems import chosen_problem
from puzzlec.geometry import Cell, find_lattice
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.language.given import Given


class Record(NamedTuple):
    """A solution in a text: its number, its class, the position of its header, and its lines."""

    number: str
    solving: str
    start: int
    end: int
    lines: tuple[tuple[str, int], ...]
    picture: str


def records(source: Source) -> list[Record]:
    """Return the solutions of a text, in order; empty without a header such as ``solution 1:``."""
    return list(_records(source.text))


def _records(text: str) -> Iterator[Record]:
    heads = re.compile(r"^[ \t]*(?:(?:at .*, )?solution (\d+):|solving (\w+):)[ \t]*$", re.MULTILINE | re.IGNORECASE)
    matches, solving = list(heads.finditer(text)), ""
    for number, head in enumerate(matches):
        if head.group(2):
            solving = head.group(2)
            continue
        end = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        lines, at = [], head.end() + 1
        while at < end:
            line = text[at:end].split("\n", 1)[0]
            if not line.strip():
                break
            lines.append((line, at))
            at += len(line) + 1
        yield Record(head.group(1), solving, head.start(), head.end(), tuple(lines), text[at:end])


#: The cells of each piece with their positions, and the position of its name.
Lying = dict[str, tuple[dict[Cell, Span], Span]]


def read_solutions(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle of a solution: its cells are the board, and its pieces may be rotated.

    The choice of a solution is needed only if they have different cells. Raises PuzzleError for lines that are not
    coordinates with a name, and for pieces that share a cell (PZ294).
    """
    record = _chosen(source, report, given)
    family, pieces = lying(record, source, report)
    span = source.span(record.start, record.end)
    title = record.solving or PurePath(source.name).stem
    report_unused(source, set(pieces), family, report)
    return _puzzle(title, family, record.solving, pieces, span)


#: Lines of the program between solutions: comments in brackets, and a sum at the end.
_PRINTED = re.compile(r"\s*(?:$|[#(]|[0-9,]+ solutions?\b|at .*:\s*$|no solutions?\b)", re.IGNORECASE)


def report_unused(source: Source, names: set[str], family: PolyformFamily, report: Report) -> None:
    """Warn about lines outside of solutions, their pictures and the other output of the program."""
    every = records(source)
    used = {at for solution in every for _, at in solution.lines} | {solution.start for solution in every}
    used |= {match.start() for match in re.finditer(r"^[ \t]*solving \w+:[ \t]*$", source.text, re.M | re.I)}
    plain = family.lattice in ("square", "cubic")

    def pictured(line: str) -> bool:
        return all(
            word in names or word == "." if plain else not re.search(r"[^\W\d_]{4}", word) for word in line.split()
        )

    unused = [
        (at, line)
        for at, line in lines_of(source.text)
        if at not in used and not _PRINTED.match(line) and not pictured(line)
    ]
    if unused:
        at, line = unused[0]
        report.add(
            "PZ230",
            f"ignoring {counted(len(unused), 'line')} outside the solutions",
            source.span(at, at + len(line)),
            note="a solution is its header, a line for each piece, and a picture",
        )


def _chosen(source: Source, report: Report, given: Given) -> Record:
    every = records(source)
    same = {frozenset(re.findall(r"\S*,\S*", "\n".join(line for line, _ in solution.lines))) for solution in every}
    # The name of a solution is the number in its header.
    numbers = [solution.number for solution in every]
    if given.problem in numbers:
        return every[numbers.index(given.problem)]
    if given.problem is None and len(same) == 1:
        return every[0]
    spans = [source.span(solution.start, solution.end) for solution in every]
    return every[chosen_problem(given.problem, numbers, spans, report, "solutions")]


def lying(record: Record, source: Source, report: Report) -> tuple[PolyformFamily, Lying]:
    """Return the family of a solution and the cells of its pieces.

    Raises PuzzleError like :func:`read_solutions`.
    """
    head = source.span(record.start, record.end)
    first = next((word for line, _ in record.lines for word in line.split() if "," in word), "")
    if not first:
        raise fail("PZ294", "missing line of coordinates in this solution", head)
    if not record.solving and re.search(r"[/\\_|]", record.picture):
        raise fail(
            "PZ294",
            "missing family of polyforms of this solution",
            head,
            note="a picture in signs such as `/` shows no squares or cubes",
            help="add the line `solving ...:` with the name of the puzzle before the solution",
        )
    family = family_of(record.solving, first.count(",") + 1)
    if family is None:
        raise fail("PZ292", f"expected two or three coordinates in a cell, found {first.count(',') + 1}", head)
    pieces: Lying = {}
    occupants: dict[Cell, tuple[str, Span]] = {}
    for line, at in record.lines:
        _line(line, at, family, pieces, occupants, source, report)
    report.stop_on_errors()
    return family, pieces


def _line(
    line: str,
    at: int,
    family: PolyformFamily,
    pieces: Lying,
    occupants: dict[Cell, tuple[str, Span]],
    source: Source,
    report: Report,
) -> None:
    """Read one line of a record: the coordinates of a piece, and its name before or after them."""
    words = [(match.group(), source.span(at + match.start(), at + match.end())) for match in re.finditer(r"\S+", line)]
    names = [(word, span) for word, span in words if "," not in word]
    whole = source.span(words[0][1].start, words[-1][1].end)
    if [word for word, _ in names][:1] == ["!"] and len(words) == 2:
        report.add("PZ295", f"this solution leaves out the piece `{words[1][0]}`, so its shape is unknown", whole)
        return
    if len(names) != 1 or len(words) < 2 or names[0] not in (words[0], words[-1]):
        report.add("PZ294", "expected coordinates such as `0,1 1,1` and the name of a piece", whole)
        return
    name, span = names[0]
    if name in pieces:
        first = [(pieces[name][1], "first placed here")]
        report.add("PZ301", f"duplicate piece `{name}` in this solution", span, "placed again", others=first)
        return
    if all(word.endswith("i") for word, _ in words if "," in word):
        report.add("PZ294", f"missing cells of piece `{name}`", whole)
        return
    cells: dict[Cell, Span] = {}
    for word, place in words:
        if "," not in word or word.endswith("i"):  # early versions also list the crossings of sticks
            continue
        cell = _cell(word, place, family, report)
        if cell is None:
            continue
        if cell in occupants:
            report.add(
                "PZ294",
                f"two pieces cover the cell {word}",
                place,
                others=[(occupants[cell][1], f"first covered by `{occupants[cell][0]}`")],
            )
        occupants[cell] = (name, place)
        cells[cell] = place
    pieces[name] = (cells, span)


def _cell(word: str, span: Span, family: PolyformFamily, report: Report) -> Cell | None:
    numbers = word.split(",")
    if not all(re.fullmatch(r"-?[0-9]{1,15}", number, re.ASCII) for number in numbers):
        report.add("PZ294", f"invalid cell `{word[:40]}`", span)
        return None
    if len(numbers) != family.coordinates:
        report.add(
            "PZ292", f"expected {family.coordinates} coordinates in a cell of this puzzle, found {len(numbers)}", span
        )
        return None
    cell = tuple(map(int, numbers))
    return cell_at(cell, span, family, report)


def cell_at(cell: Cell, span: Span, family: PolyformFamily, report: Report) -> Cell | None:
    """Return the cell of our lattice for a cell of a family; report one that is too far away or of an unknown kind."""
    if any(abs(coordinate) > MAX_COORDINATE for coordinate in cell):
        report.add("PZ321", "coordinate is too large", span)
        return None
    if family.moves and not 0 <= cell[-1] < len(family.moves):
        most = len(family.moves) - 1
        report.add("PZ294", f"the last coordinate must be 0 to {most} on this lattice, found {cell[-1]}", span)
        return None
    return family.place(cell)


#: Longest name of a piece in a picture.
MAX_NAME_CHARACTERS = 4


def read_picture(source: Source, report: Report) -> Puzzle:
    """Return the puzzle of a picture in letters: squares, or the layers of cubes side by side, four spaces apart.

    ``.`` is an empty cell. Raises PuzzleError for rows of different lengths, because empty cells as spaces are
    ambiguous.
    """
    rows: list[list[list[re.Match[str]]]] = []
    picture, *others = re.finditer(r"(?:^[ \t]*[^\s(#][^\n]*(?:\n|\Z))+", source.text, re.MULTILINE)
    for block in others:
        span = source.span(block.start(), block.start() + len(block.group().split("\n", 1)[0]))
        note = "a text without coordinates contains one picture, without an empty line"
        report.add("PZ294", "unexpected line after the picture, which ends at the empty line", span, note=note)
        report.stop_on_errors()
    for line in re.finditer(r"[^\n]+", picture.group()):
        layers = list(re.finditer(r"\S+(?: {1,3}\S+)*", line.group()))
        start = picture.start() + line.start()
        words = re.compile(r"\S+")
        rows.append([list(words.finditer(source.text, start + layer.start(), start + layer.end())) for layer in layers])
    shape = [len(layer) for layer in rows[0]]
    pieces: Lying = {}
    for y, row in enumerate(reversed(rows)):
        if [len(layer) for layer in row] != shape or len(set(shape)) > 1:
            span = source.span(row[0][0].start(), row[-1][-1].end())
            report.add(
                "PZ294", "the rows of this picture have different lengths", span, help="write `.` for an empty cell"
            )
            continue
        for z, layer in enumerate(row):
            for x, sign in enumerate(layer):
                if len(sign.group()) > MAX_NAME_CHARACTERS:
                    what = f"`{sign.group()[:40]}` is too long for the name of a piece in a picture"
                    report.add("PZ294", what, source.span(sign.start(), sign.end()))
                elif sign.group() != ".":
                    span = source.span(sign.start(), sign.end())
                    cells, _ = pieces.setdefault(sign.group(), ({}, span))
                    cells[(x, y, z) if len(shape) > 1 else (x, y)] = span
    if not pieces and not report.errors:
        raise fail("PZ308", "missing pieces in this picture", source.end)
    report.stop_on_errors()
    return _puzzle(PurePath(source.name).stem, FAMILIES[0 if len(shape) > 1 else 1], "", pieces, None)


def _puzzle(title: str, family: PolyformFamily, names: str, pieces: Lying, span: Span | None) -> Puzzle:
    lattice = find_lattice(family.lattice)
    turns = turns_of(family, names, lattice)
    board = {cell: place for cells, _ in pieces.values() for cell, place in cells.items()}
    return Puzzle(
        title,
        lattice,
        tuple(Location(cell, span=board[cell]) for cell in sorted(board, key=lambda cell: cell[::-1])),
        tuple(
            Piece(name, tuple(cells), (None,) * len(cells), turns, span=place)
            for name, (cells, place) in pieces.items()
        ),
        span=span,
    )
