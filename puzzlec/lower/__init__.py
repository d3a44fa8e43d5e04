"""Lowering: from the puzzle to its placements, from the placements to an exact cover, and what can be seen there."""

from puzzlec.lower.covering import Encoding, encode
from puzzlec.lower.forcing import Forced, forced
from puzzlec.lower.impossibility import impossible
from puzzlec.lower.placing import aspects, number_of_aspects, place
from puzzlec.lower.redundancy import Redundancy, redundant
from puzzlec.lower.symmetries import Symmetry, symmetry

__all__ = [
    "Encoding",
    "Forced",
    "Redundancy",
    "Symmetry",
    "aspects",
    "encode",
    "forced",
    "impossible",
    "number_of_aspects",
    "place",
    "redundant",
    "symmetry",
]
