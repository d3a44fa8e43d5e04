"""``puzzlec show``: the board of a puzzle, and each piece with its orientations and placements."""

from __future__ import annotations

from typing import Annotated

import typer

from puzzlec.cli.arguments import Ascii, BoardShared, FromShared, Json, Named, Parameters, ProblemShared, PuzzleName
from puzzlec.cli.list_ import entry_data, entry_lines
from puzzlec.cli.terminal import out, out_json, report_all, style, styled
from puzzlec.diagnostics import Report, counted
from puzzlec.engine.problem import ExactCover
from puzzlec.formats import catalogue
from puzzlec.formats.catalogue import Entry
from puzzlec.ir import Fitting
from puzzlec.ir.puzzle import address_text, copies_mark, rule_groups
from puzzlec.lower import Encoding, encode, number_of_orientations, symmetry
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.pipeline import compile
from puzzlec.show.data import cover_data, fitting_data
from puzzlec.show.palette import COLOURS
from puzzlec.show.scene import around_text
from puzzlec.show.terminal.style import Style


def show(
    puzzle: PuzzleName,
    every: Annotated[bool, typer.Option("--orientations", help="Draw every orientation of every piece.")] = False,
    ascii: Ascii = False,
    as_json: Json = False,
    given: Parameters = None,
    source: FromShared = None,
    board: BoardShared = None,
    problem: ProblemShared = None,
) -> None:
    """Show the board and the pieces of a puzzle.

    Each piece has its numbers of orientations and placements. An exact cover has its items and options. A puzzle in the
    catalogue has its counts, source, notes and tags. A file of pieces needs no board.

    Examples:
        puzzlec show pentominoes/6x10
        puzzlec show soma --orientations

    """
    what = Named(puzzle, source, board, given, problem).read(pieces_alone=True)
    # Another value of a parameter makes another puzzle, with other counts.
    known = None if given or board or problem else catalogue.entry_of(puzzle)
    said = {"catalogue": entry_data(known) if known else None}
    if isinstance(what, ExactCover):
        if as_json:
            out_json({"title": what.title, **cover_data(what), **said})
            return
        from puzzlec.show.explain.covers import show_cover

        out(show_cover(what))
        _tell(known)
        return
    report = Report()
    fitting = compile(what, level="fitting", report=report)
    report_all(report.diagnostics)
    encoding = encode(fitting)
    if as_json:
        order, all_listed = _order(encoding)
        sizes = {"cover": cover_data(encoding.cover), "symmetries": order, "symmetries_listed": all_listed}
        out_json({**fitting_data(fitting), **sizes, **said})
        return
    from puzzlec.show.terminal.grids import task_grid
    from puzzlec.show.terminal.text import draw_puzzle

    described = fitting.puzzle
    out(styled(fitting.title))
    look = style(ascii)
    if not fitting.locations and described is not None and described.lattice is not None:
        out("lattice " + described.lattice.name)
        for number in range(len(fitting.pieces)):
            out("\n" + _piece(fitting, number, every, look))
        cells = sum(len(piece.cells) * piece.low for piece in described.pieces)
        out(f"\n{counted(len(described.pieces), 'piece')}, {counted(cells, 'cell')}, no board")
        return
    if described is not None:
        out("lattice " + (described.lattice.name if described.lattice else "none"))
        out()
        ruled = described.lattice is None or bool(described.region_rules)
        out((ruled and task_grid(fitting, look)) or draw_puzzle(described, look))
        if described.wraps:
            out(f"wraps around: {around_text(described.wraps)}")
        for where, rules in rule_groups(described.region_rules):
            region = "" if len(rules) > 1 or where else " ".join(map(address_text, rules[0].region))
            many = f": {len(rules)} regions" if len(rules) > 1 else ""
            out(f"rule {where or region} {rules[0].words}{many}")
    needed = fitting.locations - len(fitting.optional)
    may = f", {len(fitting.optional)} more may stay empty" if fitting.optional else ""
    out(f"\n{needed} locations to cover{may}")
    for number in range(len(fitting.pieces)):
        out()
        out(_piece(fitting, number, every, look))
    order, all_listed = _order(encoding)
    total = sum(len(piece.placements) for piece in fitting.pieces)
    out(f"\n{counted(len(fitting.pieces), 'piece')}, {counted(total, 'placement')}")
    out(str(encoding.cover))
    if described is not None and described.lattice is not None:
        out(f"symmetry group of order {'' if all_listed else 'at least '}{order}")
    _tell(known)


def _tell(known: Entry | None) -> None:
    """Print the facts of the catalogue about a puzzle."""
    if known is not None:
        out("\n" + "\n".join(entry_lines(known, style().width)))


def _order(encoding: Encoding) -> tuple[int, bool]:
    """Return the number of symmetries and True; or a lower bound and False, if there are too many to list."""
    try:
        return len(symmetry(encoding)), True
    except GroupTooLargeError as error:
        return error.order, False


def _piece(fitting: Fitting, number: int, every: bool, look: Style) -> str:
    from puzzlec.show.terminal.text import draw_orientations, draw_piece

    piece = fitting.pieces[number]
    copies = copies_mark(piece.low, piece.high)
    head = f"piece {fitting.piece_name(number)}{copies}: "
    described = fitting.puzzle.pieces[number] if fitting.puzzle else None
    lattice = fitting.puzzle.lattice if fitting.puzzle else None
    if described is None or described.covers is not None or lattice is None:
        return f"{head}{counted(len(piece.placements), 'placement')}, listed"
    freedom = lattice.freedom_of(described.turns)
    count = number_of_orientations(described, lattice)
    how = freedom.value if freedom else f"{len(described.turns)} turns"
    numbers = [
        counted(len(described.cells), "cell"),
        f"{counted(count, 'orientation')} ({how})",
        *([counted(len(piece.placements), "placement")] if fitting.locations else []),
    ]
    head += ", ".join(numbers)
    room, hue = look.width - 2, number % len(COLOURS)
    if every:
        drawn = draw_orientations(described, lattice, look._replace(width=room), hue)
    else:
        drawn = draw_piece(described, lattice, look._replace(width=room), hue)
    return head + "\n" + "\n".join("  " + line for line in drawn.split("\n"))
