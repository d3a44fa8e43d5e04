"""A fitting in which every piece is used once and every location is needed: for formats that know nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from puzzlec.diagnostics import Report
from puzzlec.ir import Fitting, Placements


class Part(NamedTuple):
    """A piece that is used once: its name, its placements, and which piece of the fitting it is (-1: none).

    Where it is one, its placements begin with those of that piece in their order.
    """

    name: str
    placements: Sequence[tuple[int, ...]]
    piece: int = -1


def parts(fitting: Fitting, format: str, pairwise: bool = False) -> list[Part]:
    """Return a fitting as pieces that are used once each, with which all locations are covered.

    The solutions are one to one: a piece that may be left out gets a placement without locations, and each optional
    location a part of its own that covers it or nothing. Raises PuzzleError, which names the ``format``, for the rest:
    several interchangeable copies, which would count as different, a limited number of empty locations and, unless any
    two placements can be said not to go together (``pairwise``), sides and crossings, and placements that cover the
    same locations and show other colours there.
    """
    report = Report()
    where = fitting.puzzle.span if fitting.puzzle else None
    if fitting.beyond and not pairwise:
        report.add("PZ501", f"{format} cannot say what colours the edges of a piece have", where, file=fitting.title)
    if fitting.crossings and not pairwise:
        report.add(
            "PZ501",
            f"{format} cannot say that pieces do not cross",
            where,
            file=fitting.title,
            help="write `crossing allowed` where they may",
        )
    found: list[Part] = []
    for number, piece in enumerate(fitting.pieces):
        placements: Sequence[tuple[int, ...]] = piece.placements
        if piece.high == 0:
            continue
        if piece.is_ambiguous and not pairwise:
            report.add(
                "PZ501",
                f"{format} cannot say what colours piece `{fitting.piece_name(number)}` shows where it lies",
                piece.span,
                note="it covers the same locations in several ways, which would be one orientation",
                help="convert to `puzzle` or `json`, which have colours",
                file=fitting.title,
            )
        if piece.low == 0 and piece.high == 1:
            placements = [*piece.placements, ()]
            if not pairwise and () in piece.placements:
                report.add(
                    "PZ501",
                    f"{format} cannot tell piece `{fitting.piece_name(number)}` left out from one that covers nothing",
                    piece.span,
                    note="both are an orientation without locations, and equal ones are one",
                    file=fitting.title,
                )
        elif (piece.low, piece.high) != (1, 1):
            report.add(
                "PZ501",
                f"{format} has no copies, and piece `{fitting.piece_name(number)}` has several",
                piece.span,
                note="as separate pieces they would be counted as different",
                help="convert to `puzzle`, which has copies",
                file=fitting.title,
            )
        found.append(Part(fitting.piece_name(number), placements, number))
    low, high = fitting.empty or (0, len(fitting.optional))
    if low > 0 or high < len(fitting.optional):
        report.add("PZ501", f"{format} cannot limit how many locations stay empty", where, file=fitting.title)
    report.stop_on_errors()
    for location in sorted(fitting.optional):
        name = f"empty {fitting.location_name(location)}"
        found.append(Part(name, Placements([(), (location,)])))
    return found
