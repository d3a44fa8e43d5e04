"""The stages of a puzzle between text and search, and the results of a search."""

from puzzlec.engine.problem import ExactCover
from puzzlec.ir.fitting import Fitting, Placements
from puzzlec.ir.location import ANY, Location, NamedRegion
from puzzlec.ir.puzzle import Expectation, Measure, Piece, Puzzle
from puzzlec.ir.rules import Condition, Cost, Meeting, MeetingKind, Payer, RegionRule, Rule, RuleKind
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
