"""A fitting as DPF: numbers only, one orientation a line."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.formats.expanded import parts
from puzzlec.formats.write_options import Choices
from puzzlec.ir import Fitting


def write_dpf_text(fitting: Fitting, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Return the DPF text of a fitting in one chunk; see :func:`write_dpf`."""
    return iter([write_dpf(fitting)])


def write_dpf(fitting: Fitting) -> str:
    """Return the DPF text of a fitting.

    DPF knows neither copies nor ranges nor empty locations. What can be said exactly is said: a piece
    that may be left out gets an orientation without locations, and each optional location a piece of
    its own that covers it or nothing. Raises PuzzleError for the rest: several interchangeable copies,
    which DPF would count as different, and a limited number of empty locations.
    """
    rows = parts(fitting, "DPF")
    lines = [str(fitting.locations), str(len(rows))]
    for _, placements, _ in rows:
        lines.append(str(len(placements)))
        lines.extend("    " + " ".join(map(str, (len(placement), *placement))) for placement in placements)
    return "\n".join(lines) + "\n"
