"""Outlines for a laser: flat pieces as lines to cut and to engrave, as SVG in mm or as DXF."""

from __future__ import annotations

from puzzlec.make.laser.choices import ENGRAVED, Cutting
from puzzlec.make.laser.dxf import dxf_text
from puzzlec.make.laser.plan import Plan, described, planned
from puzzlec.make.laser.svg import svg_text
from puzzlec.solving.subject import Subject

__all__ = ["ENGRAVED", "Cutting", "Plan", "cut_dxf", "cut_svg", "described", "dxf_text", "planned", "svg_text"]


def cut_svg(subject: Subject, choices: Cutting | None = None) -> str:
    """Return the outlines of a puzzle's pieces as an SVG file in mm.

    Raises PuzzleError: PZ504 for pieces that are not flat, PZ506 for sizes that do not suit, PZ505 without shapely.
    """
    return svg_text(planned(subject, choices or Cutting()))


def cut_dxf(subject: Subject, choices: Cutting | None = None) -> str:
    """Return the outlines of a puzzle's pieces as a DXF file in mm; raises as :func:`cut_svg` does."""
    return dxf_text(planned(subject, choices or Cutting()))
