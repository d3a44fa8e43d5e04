"""DPF, "Discrete Piece Fitting" (Frans Faase): locations, pieces, and the sets of locations of each piece."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.formats.plain import parts
from puzzlec.formats.record import Format, WriterChoices
from puzzlec.ir import Fitting, Placements
from puzzlec.ir.fitting import FittingPiece
from puzzlec.language.given import Given
from puzzlec.language.parsing import NumberSequence

#: Maximum number of locations: a number in a text costs nothing, but its locations take memory.
MAX_LOCATIONS = 2_000_000


def read_dpf(source: Source, report: Report, given: Given) -> Fitting:  # noqa: ARG001
    """Return the fitting of a DPF text; warnings go into the report.

    The text is ``l p piece{p}``, a piece is ``o orientation{o}``, an orientation is ``m location{m}``. Raises
    PuzzleError for a text that is too short or too long, and for a location that is out of range or duplicate in one
    orientation.
    """
    numbers = NumberSequence(source, "dpf")
    locations = numbers.next("the number of locations")
    if locations > MAX_LOCATIONS:
        raise fail(
            "PZ321",
            f"{locations} locations are too many (limit {MAX_LOCATIONS:,})",
            numbers.last,
            note="each location takes memory",
        )
    pieces = []
    idle: list[tuple[str, int]] = []
    count = numbers.next("the number of pieces")
    for piece in range(count):
        orientations = numbers.next(f"the number of orientations of piece {piece} (numbered from 0)")
        span = None if orientations else numbers.last
        if orientations == 0:
            report.add("PZ206", f"piece {piece} (numbered from 0) has no orientation, so there is no solution", span)
        placements: dict[tuple[int, ...], None] = {}
        for orientation in range(orientations):
            what = f"orientation {orientation} of piece {piece} (numbered from 0)"
            size = numbers.next(f"the number of locations of {what}")
            first = numbers.at
            placement = numbers.rest(size, what)
            if size == 0:
                idle.append((what, numbers.at - 1))
            ascending = tuple(sorted(placement))
            if ascending and ascending[-1] >= locations:
                index = next(k for k, location in enumerate(placement) if location >= locations)
                report.add(
                    "PZ204",
                    f"location {placement[index]} is out of range in {what}",
                    numbers.span(first + index),
                    note=f"there are {locations} locations, 0 to {locations - 1}" if locations else "there are none",
                )
            elif len(set(ascending)) != size:
                index = next(k for k in range(size) if placement[k] in placement[:k])
                report.add("PZ205", f"duplicate location {placement[index]} in {what}", numbers.span(first + index))
            elif ascending in placements:
                report.add("PZ208", f"{what} equals an earlier one and is merged with it", numbers.span(first))
            placements[ascending] = None
        pieces.append(FittingPiece(Placements(placements), span=span))
    if idle:
        others = f", and so {'do' if len(idle) > 2 else 'does'} {len(idle) - 1} more" if len(idle) > 1 else ""
        report.add("PZ207", f"{idle[0][0]} covers no location{others}", numbers.span(idle[0][1]))
    numbers.finish()
    report.stop_on_errors()
    return Fitting(
        locations,
        tuple(pieces),
        title=PurePath(source.name).stem,
    )


def write_dpf_text(fitting: Fitting, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the DPF text of a fitting in one chunk; see :func:`write_dpf`."""
    return iter([write_dpf(fitting)])


def write_dpf(fitting: Fitting) -> str:
    """Return the DPF text of a fitting.

    DPF has no copies, no ranges and no optional locations. A piece that may be left out gets an orientation without
    locations. Each optional location gets a separate piece that covers it or nothing. Raises PuzzleError for anything
    that this does not express exactly: several interchangeable copies, which DPF would count as different, and a
    limited number of empty locations.
    """
    rows = parts(fitting, "DPF")
    lines = [str(fitting.locations), str(len(rows))]
    for _, placements, _ in rows:
        lines.append(str(len(placements)))
        lines.extend("    " + " ".join(map(str, (len(placement), *placement))) for placement in placements)
    return "\n".join(lines) + "\n"


FORMAT = Format(
    "dpf",
    (".dpf",),
    "Discrete Piece Fitting",
    stage="fitting",
    read=read_dpf,
    write=write_dpf_text,
    aliases=("discrete-piece-fitting", "faase"),
    place=20,
    traits=("numbers",),
)
