"""A puzzle as people see it: the drawing of its board, and of each piece."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.diagnostics import counted
from puzzlec.ir import Fitting, Puzzle
from puzzlec.ir.location import address_text
from puzzlec.ir.puzzle import copies_mark
from puzzlec.ir.rules import rule_groups
from puzzlec.lower import number_of_orientations
from puzzlec.show.scene import around_text, piece_scene
from puzzlec.show.terminal.style import Style
from puzzlec.show.terminal.text import draw_grid, draw_orientations, draw_piece, draw_puzzle
from puzzlec.solving.grids import task_board


def overview(fitting: Fitting, look: Style, orientations: bool = False) -> str:
    """Return the board and the pieces of a puzzle as drawings; with ``orientations``, every orientation of a piece."""
    return "\n\n".join(_parts(fitting, look, orientations))


def _parts(fitting: Fitting, look: Style, orientations: bool) -> Iterator[str]:
    described = fitting.puzzle
    if described is not None and fitting.locations:
        ruled = described.lattice is None or bool(described.rules.regions)
        board = (ruled and draw_grid(task_board(fitting), look)) or draw_puzzle(described, look)
        wraps = [f"wraps around: {around_text(described.wraps)}"] if described.wraps else []
        yield "\n".join([board, *wraps, *_rules(described)])
    for number in range(len(fitting.pieces)):
        yield _piece(fitting, number, orientations, look)
    if described is not None and not fitting.locations:
        cells = sum(len(piece.cells) * piece.low for piece in described.pieces)
        yield f"{counted(len(described.pieces), 'piece')}, {counted(cells, 'cell')}, no board"


def _rules(puzzle: Puzzle) -> Iterator[str]:
    """Yield the rules on regions, those on each part of a board in one line."""
    for where, rules in rule_groups(puzzle.rules.regions):
        region = "" if len(rules) > 1 or where else " ".join(map(address_text, rules[0].region))
        many = f": {len(rules)} regions" if len(rules) > 1 else ""
        yield f"rule {where or region} {rules[0].words}{many}"


def _piece(fitting: Fitting, number: int, every: bool, look: Style) -> str:
    piece = fitting.pieces[number]
    copies = copies_mark(piece.low, piece.high)
    head = f"piece {fitting.piece_name(number)}{copies}: "
    scene = piece_scene(fitting.puzzle, number) if fitting.puzzle else None
    if scene is None:
        return f"{head}{counted(len(piece.placements), 'placement')}, listed"
    described, lattice = fitting.origin.pieces[number], scene.lattice
    freedom = lattice.freedom_of(described.turns)
    count = number_of_orientations(described, lattice)
    how = freedom.value if freedom else f"{len(described.turns)} turns"
    numbers = [
        counted(len(described.cells), "cell"),
        f"{counted(count, 'orientation')} ({how})",
        *([counted(len(piece.placements), "placement")] if fitting.locations else []),
    ]
    head += ", ".join(numbers)
    room, hue = look.width - 2, scene.bodies[0].shown_hue
    if every:
        drawn = draw_orientations(described, lattice, look._replace(width=room), hue)
    else:
        drawn = draw_piece(described, lattice, look._replace(width=room), hue)
    return head + "\n" + "\n".join("  " + line for line in drawn.split("\n"))
