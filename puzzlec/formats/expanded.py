"""A fitting in which every piece is used once and every location is needed, for formats without anything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from puzzlec.formats.record import Unsupported
from puzzlec.ir import Fitting, Placements


class Part(NamedTuple):
    """A piece that is used once: its name, its placements, and the number of its piece in the fitting (-1: none).

    If it has a number, its placements begin with those of that piece, in the same order.
    """

    name: str
    placements: Sequence[tuple[int, ...]]
    piece: int = -1


def parts(fitting: Fitting, format: str, pairwise: bool = False) -> list[Part]:
    """Return a fitting as pieces that are used once each and together cover all locations.

    The solutions correspond one to one. A piece that may be left out gets a placement without locations, and each
    optional location gets a part that covers it or nothing. Raises PuzzleError, which names the ``format``, for several
    interchangeable copies, which would count as different, and for a limited number of empty locations. Unless the
    format can exclude any two placements (``pairwise``), it also raises PuzzleError for sides and crossings, and for
    placements that cover the same locations in different colours.
    """
    report = Unsupported(format, fitting.title, fitting.puzzle.span if fitting.puzzle else None)
    _refuse(fitting, pairwise, report)
    report.stop_on_errors()
    found: list[Part] = []
    for number, piece in enumerate(fitting.pieces):
        if piece.high:
            placements = piece.placements if piece.low else [*piece.placements, ()]
            found.append(Part(fitting.piece_name(number), placements, number))
    for location in sorted(fitting.optional):
        name = f"empty {fitting.location_name(location)}"
        found.append(Part(name, Placements([(), (location,)])))
    return found


def _refuse(fitting: Fitting, pairwise: bool, report: Unsupported) -> None:
    """Report everything in a fitting that a format does not support."""
    if fitting.neighbours and not pairwise:
        report.whole("coloured sides")
    if fitting.crossings and not pairwise:
        report.whole("pieces that must not cross", help="write `crossing allowed` if pieces may cross")
    for number, piece in enumerate(fitting.pieces):
        if piece.high == 0:
            continue
        name, file = f"piece `{fitting.piece_name(number)}`", fitting.title
        if piece.is_ambiguous and not pairwise:
            note = "it covers the same locations in several ways, which would become one orientation"
            help = "convert to `puzzle` or `json`, which support colours"
            report.part(f"the colours of {name}", piece.span, note=note, help=help, file=file)
        if (piece.low, piece.high) == (0, 1):
            if not pairwise and () in piece.placements:
                note = "it already has a placement without locations, which means the same"
                report.part(f"leaving out {name}", piece.span, note=note, file=file)
        elif (piece.low, piece.high) != (1, 1):
            note, help = "separate pieces would count as different", "convert to `puzzle`, which supports copies"
            report.part(f"copies, found several of {name}", piece.span, note=note, help=help, file=file)
    low, high = fitting.empty or (0, len(fitting.optional))
    if low > 0 or high < len(fitting.optional):
        report.whole("a limit on empty locations")
