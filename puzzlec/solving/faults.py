"""The ways in which a solution is wrong, as data; every sentence about them is made from the table here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import Enum, StrEnum

from puzzlec.ir.solution import Placement


class FaultKind(StrEnum):
    """The kinds of wrong solutions, in words for several of them; ``singular`` are the words for one of them."""

    singular: str

    def __new__(cls, plural: str, verb: str, rest: str) -> FaultKind:
        """Return a member: its verb in the plural and in the singular, and the words after it."""
        member = str.__new__(cls, f"{plural} {rest}".strip())
        member._value_, member.singular = str(member), f"{verb} {rest}".strip()
        return member

    UNREADABLE = "cannot", "cannot", "be read"
    CONTRADICTORY = "are", "is", "contradictory"
    CROSSING = "cross", "crosses", ""
    COVERED_TWICE = "cover", "covers", "a location twice"
    UNCOVERED = "leave", "leaves", "a location uncovered"
    EMPTY = "leave", "leaves", "too many or too few locations empty"
    USE = "use", "uses", "a piece too often or too seldom"
    SIDES = "have", "has", "sides that do not match"
    PLACE = "have", "has", "a piece where it cannot lie"
    RULE = "break", "breaks", "a rule"
    # Only answers of other programs:
    AFTER_THE_END = "contradict", "contradicts", "the answer"
    OTHER_PUZZLE = "belong", "belongs", "to another puzzle"
    NO_COVER = "are", "is", "no exact cover"


def wrong_ones(number: Counter[str]) -> str:
    """Return how many solutions of each kind there are, the most frequent first.

    >>> wrong_ones(Counter([FaultKind.CROSSING, FaultKind.UNCOVERED, FaultKind.CROSSING]))
    ', 2 cross, 1 leaves a location uncovered'
    """
    kinds = sorted((kind for kind in FaultKind if number[kind]), key=lambda kind: (-number[kind], kind))
    return "".join(f", {number[kind]} {kind if number[kind] > 1 else kind.singular}" for kind in kinds)


class SolutionFault(Enum):
    """An error of a solution: its kind, and the sentence about it."""

    USE = FaultKind.USE, "piece {} is used {} times"
    COVERED_TWICE = FaultKind.COVERED_TWICE, "a location is covered twice"
    UNCOVERED = FaultKind.UNCOVERED, "a location is not covered"
    EMPTY = FaultKind.EMPTY, "{} locations stay empty"
    COST = FaultKind.RULE, "the solution costs {}, not {}"
    NOT_FIXED = FaultKind.RULE, "no copy of piece {} is where it is fixed"
    NO_COLOURS = FaultKind.RULE, "the rule `{}` applies to cells without colours"
    REGION = FaultKind.RULE, "{} shows {}, not `{}`"
    PIECE_RULE = FaultKind.RULE, "piece {} breaks the rule `{}`"
    CROSSING = FaultKind.CROSSING, "two pieces cross at {}"
    BORDER = FaultKind.SIDES, "the border shows {}"
    SIDES = FaultKind.SIDES, "{} meets {}"
    NO_PLACEMENT = FaultKind.PLACE, "piece {} has no such placement"
    PLACE = FaultKind.PLACE, "piece {} does not fit on {}"
    SAME_NAMES = FaultKind.RULE, "pieces with the same name cannot be distinguished"
    OTHER_NAMES = FaultKind.CONTRADICTORY, "`locations` has {} on {}, but the placements have {}"
    OTHER_NUMBER = FaultKind.CONTRADICTORY, "piece {} lies on {}, but by its number {} {}"

    def __init__(self, kind: FaultKind, sentence: str) -> None:
        self.kind, self.sentence = kind, sentence


class WrongSolutionError(AssertionError):
    """A wrong solution: a bug in puzzlec, or a solution of something else.

    ``locations`` and ``placements`` are those in question, if the sentence does not name them.
    """

    def __init__(
        self, fault: SolutionFault, *facts: object, locations: Sequence[int] = (), placements: Sequence[Placement] = ()
    ) -> None:
        super().__init__(fault.sentence.format(*facts))
        self.kind, self.locations, self.placements = fault.kind, locations, placements
