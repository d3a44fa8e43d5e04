"""Outlines for a laser: flat pieces as lines to cut and to engrave, as SVG in mm or as DXF."""

from __future__ import annotations

from puzzlec.make.choices import ENGRAVED, Cutting
from puzzlec.make.laser.files import dxf_text, svg_text
from puzzlec.make.laser.plan import Plan, described, planned

__all__ = ["ENGRAVED", "Cutting", "Plan", "described", "dxf_text", "planned", "svg_text"]
