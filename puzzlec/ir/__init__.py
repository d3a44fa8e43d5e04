"""The stages of a puzzle between text and search, and the results of a search."""

from puzzlec.engine.problem import ExactCover
from puzzlec.ir.fitting import Fitting, Placements
from puzzlec.ir.puzzle import (
    ANY,
    Condition,
    Cost,
    Expectation,
    Location,
    Measure,
    Meeting,
    MeetingKind,
    NamedRegion,
    Payer,
    Piece,
    Puzzle,
    RegionRule,
    Rule,
    RuleKind,
)
from puzzlec.ir.solution import Placement, Solution

__all__ = [
    "ANY",
    "Condition",
    "Cost",
    "ExactCover",
    "Expectation",
    "Fitting",
    "Location",
    "Measure",
    "Meeting",
    "MeetingKind",
    "NamedRegion",
    "Payer",
    "Piece",
    "Placement",
    "Placements",
    "Puzzle",
    "RegionRule",
    "Rule",
    "RuleKind",
    "Solution",
]
