"""A fitting as DPF: numbers only, one orientation a line."""

from __future__ import annotations

from puzzlec.diagnostics import Report
from puzzlec.ir import Fitting


def write_dpf(fitting: Fitting) -> str:
    """Return the DPF text of a fitting.

    DPF knows neither copies nor ranges nor empty locations. What can be said exactly is said: a piece
    that may be left out gets an orientation without locations, and each optional location a piece of
    its own that covers it or nothing. Raises PuzzleError for the rest: several interchangeable copies,
    which DPF would count as different, and a limited number of empty locations.
    """
    report = Report()
    where = fitting.puzzle.span if fitting.puzzle else None
    if fitting.beyond:
        report.add("PZ501", "DPF cannot say what colours the edges of a piece have", where, file=fitting.title)
    if fitting.crossings:
        report.add(
            "PZ501",
            "DPF cannot say that pieces do not cross",
            where,
            file=fitting.title,
            help="write `crossing allowed` where they may",
        )
    rows: list[list[tuple[int, ...]]] = []
    for number, piece in enumerate(fitting.pieces):
        placements = list(piece.placements)
        if piece.high == 0:
            continue
        if piece.low == 0 and piece.high == 1:
            placements.append(())
        elif (piece.low, piece.high) != (1, 1):
            report.add(
                "PZ501",
                f"DPF has no copies, and piece `{fitting.piece_name(number)}` has several",
                piece.span,
                note="as separate pieces they would be counted as different",
                help="convert to `puzzle`, which has copies",
            )
        rows.append(placements)
    low, high = fitting.empty or (0, len(fitting.optional))
    if low > 0 or high < len(fitting.optional):
        report.add("PZ501", "DPF cannot limit how many locations stay empty", where, file=fitting.title)
    report.stop_on_errors()
    rows.extend([(), (location,)] for location in sorted(fitting.optional))
    lines = [str(fitting.locations), str(len(rows))]
    for placements in rows:
        lines.append(str(len(placements)))
        lines.extend("    " + " ".join(map(str, (len(placement), *placement))) for placement in placements)
    return "\n".join(lines) + "\n"
