"""Drawings: cells typed as they lie on paper, and cells laid out as characters."""

from puzzlec.geometry.drawing.rows import Uneven, indents, layout, uneven
from puzzlec.geometry.drawing.rule import (
    BLANK,
    STAND_INS,
    DrawingError,
    DrawingMark,
    DrawingRule,
    DrawingSpot,
    is_scattered,
    positioned,
    spread,
)
from puzzlec.geometry.drawing.rules import RULES, drawn_rule, marks, rule_of
from puzzlec.geometry.drawing.sticks import layout_sticks

__all__ = [
    "BLANK",
    "RULES",
    "STAND_INS",
    "DrawingError",
    "DrawingMark",
    "DrawingRule",
    "DrawingSpot",
    "Uneven",
    "drawn_rule",
    "indents",
    "is_scattered",
    "layout",
    "layout_sticks",
    "marks",
    "positioned",
    "rule_of",
    "spread",
    "uneven",
]
