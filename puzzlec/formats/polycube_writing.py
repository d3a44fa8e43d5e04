"""A puzzle of flat or solid pieces as what Knuth's programs polyomino-dlx and polycube-dlx read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from puzzlec.diagnostics import Report
from puzzlec.formats.compact_writing import lattice_span
from puzzlec.formats.polycube import DIGITS
from puzzlec.formats.write_options import Choices
from puzzlec.geometry import Cell, Lattice, Matrix
from puzzlec.ir import Piece, Puzzle
from puzzlec.ir.puzzle import copies_text
from puzzlec.lower import aspects
from puzzlec.lower.labels import words


def write_polycube(puzzle: Puzzle, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Return the text of a puzzle on the lattice square or cubic: the box, then a line for each piece.

    The box is moved so that its least coordinates are 0. Raises PuzzleError, naming each, for what these programs have
    no words for: boards that go around, colours, optional locations, rules, listed placements, other turns than all
    (in space: all but mirrorings), coordinates beyond 61.
    """
    report = Report()
    lattice = puzzle.lattice
    assert lattice is not None
    if lattice.name not in ("square", "cubic"):
        report.add(
            "PZ501",
            f"the format `polycube` has no lattice `{lattice.name}`",
            lattice_span(puzzle),
            note="its lattices are square and cubic",
            help="convert to `puzzle`",
            file=puzzle.title,
        )
        raise report.error()
    _refuse(puzzle, report)
    turns = lattice.isometries if lattice.name == "square" else lattice.rotations
    for piece in puzzle.pieces:
        if piece.covers is None:
            _refuse_piece(piece, turns, lattice, report)
    for cells, span in (
        ([each.at for each in puzzle.locations if isinstance(each.at, tuple)], puzzle.span),
        *((piece.cells, piece.span) for piece in puzzle.pieces if piece.cells),
    ):
        if any(max(axis) - min(axis) >= len(DIGITS) for axis in zip(*cells, strict=True)):
            report.add(
                "PZ501",
                f"the format `polycube` has no coordinates beyond {len(DIGITS) - 1}",
                span,
                file=puzzle.title,
            )
    report.stop_on_errors()
    names = words((piece.name for piece in puzzle.pieces), r"[\s|:*]")
    lines = [_cells_text(each.at for each in puzzle.locations if isinstance(each.at, tuple))]
    for name, piece in zip(names, puzzle.pieces, strict=True):
        lines.append(f"{_copies(piece, lattice)}{name} {_cells_text(piece.cells)}")
    return iter(["\n".join(lines) + "\n"])


def _refuse(puzzle: Puzzle, report: Report) -> None:
    """Report what the format cannot say at all."""
    file = puzzle.title
    if puzzle.wraps:
        report.add("PZ501", "the format `polycube` cannot say that the board goes around", puzzle.span, file=file)
    if puzzle.colours or any(location.colour for location in puzzle.locations):
        report.add("PZ501", "the format `polycube` has no colours", puzzle.span, file=file)
    if any(location.optional for location in puzzle.locations):
        report.add("PZ501", "the format `polycube` has no optional locations", puzzle.span, file=file)
    for rule in puzzle.rules:
        report.add("PZ501", f"the format `polycube` has no rules such as `{rule.kind.value}`", rule.span)
    for piece in puzzle.pieces:
        if piece.covers is not None:
            report.add(
                "PZ501", f"the format `polycube` has no listed placements, as piece `{piece.name}` has", piece.span
            )
        if piece.sides:
            report.add("PZ501", f"the format `polycube` has no edges, as piece `{piece.name}` has", piece.span)


def _refuse_piece(piece: Piece, turns: tuple[Matrix, ...], lattice: Lattice, report: Report) -> None:
    """Report a piece that may be turned in other ways than the programs do, or used in numbers they cannot say."""
    both = tuple(turn for turn in lattice.isometries if turn in {*turns, *piece.turns})
    forms = [
        len(aspects(Piece(piece.name, piece.cells, piece.colours, each), lattice))
        for each in (piece.turns, turns, both)
    ]
    if len(set(forms)) > 1:
        how = "turned and mirrored" if lattice.name == "square" else "turned, and not mirrored"
        report.add(
            "PZ501",
            f"the format `polycube` cannot say how piece `{piece.name}` may be turned",
            piece.span,
            note=f"its pieces may be {how}",
        )
    solid = lattice.name == "cubic"
    if piece.high == 0 or (solid and (piece.low != piece.high or piece.high >= len(DIGITS))) or piece.high >= 10**9:
        report.add(
            "PZ501",
            f"the format `polycube` cannot say that piece `{piece.name}` is used "
            f"{copies_text(piece.low, piece.high)} times",
            piece.span,
            note="in space it has one number of copies up to 61" if solid else (),
        )


def _copies(piece: Piece, lattice: Lattice) -> str:
    """Return what stands before the name of a piece that is used other than once."""
    if piece.low == piece.high == 1:
        return ""
    if lattice.name == "cubic":
        return f"{DIGITS[piece.high]}*"
    return f"{piece.high}|" if piece.low == piece.high else f"{piece.low}:{piece.high}|"


def _cells_text(cells: Iterable[Cell]) -> str:
    """Return cells in few words, moved so that the least coordinates are 0.

    >>> _cells_text([(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 5)])
    '[01][0-2] 24'
    """
    listed = list(cells)
    least = [min(axis) for axis in zip(*listed, strict=True)]
    moved = {tuple(value - low for value, low in zip(cell, least, strict=True)) for cell in listed}
    return " ".join(_boxes(frozenset(moved)))


def _boxes(cells: frozenset[Cell]) -> list[str]:
    """Return words for cells: those of first coordinates behind which the same cells follow, together."""
    if not any(cells):
        return [""]
    behind: dict[int, set[Cell]] = {}
    for cell in cells:
        behind.setdefault(cell[0], set()).add(cell[1:])
    together: dict[frozenset[Cell], list[int]] = {}
    for first in sorted(behind):
        together.setdefault(frozenset(behind[first]), []).append(first)
    return [_digits(firsts) + word for rest, firsts in together.items() for word in _boxes(rest)]


def _digits(values: list[int]) -> str:
    """Return ascending coordinates as one digit, or several in brackets, three and more in a row as a range."""
    if len(values) == 1:
        return DIGITS[values[0]]
    text = ""
    at = 0
    while at < len(values):
        end = at
        while end + 1 < len(values) and values[end + 1] == values[end] + 1:
            end += 1
        if end - at >= 2:
            text += f"{DIGITS[values[at]]}-{DIGITS[values[end]]}"
        else:
            text += "".join(DIGITS[value] for value in values[at : end + 1])
        at = end + 1
    return f"[{text}]"
